import Daybook
import DaybookStore
import Pictures

/// A hive as a picture: the ring of its day, its members, and its shared comb (HH-23).
struct HivePicture {
  let report: HiveReport
  let theme: Picture.ColorTheme

  var picture: Picture {
    let card = report.card
    let grid = CombGrid(report.comb.map(\.day), top: 176 + 18 * Double(card.members.count))
    var picture = Picture(
      card.hive.title, description, theme, width: max(480, grid.size.width))
    picture.rules =
      CombShape.rules(.honey) + [
        ("circle.track{fill:none;stroke-width:5;stroke:", "#EADFCB", "#3A3A3C"),
        (
          "circle.share{fill:none;stroke-width:5;stroke-linecap:round;stroke:", "#34A853",
          "#34C759"
        ),
      ]
    picture.shapes = CombShape.definitions
    picture.part(
      "<g transform=\"translate(20 44) scale(1.8)\">"
        + Ring(done: card.day.completeCount, of: card.day.requiredCount).body + "</g>")
    picture.text("streak \(card.streak), longest \(report.longest)", x: 108, y: 76, size: 13)
    picture.text("\(card.day.day): \(card.ring)", x: 108, y: 96, size: 11, "faint")
    var y = 142.0
    for member in card.members {
      let shape: CombShape =
        member.isDone ? .done : member.isRequired ? .open : member.isLeftOut ? .leftOut : .off
      picture.use(shape.name, x: 30, y: y - 4)
      picture.text(member.name + (member.isOwner ? " (owner)" : ""), x: 44, y: y, size: 12)
      y += 18
    }
    grid.drawHeads(&picture)
    for (place, day) in report.comb.enumerated() {
      guard let shape = Self.shape(of: day.verdict) else { continue }
      let (x, y) = grid.place(place)
      picture.use(
        shape.name, x: x, y: y, hint: "\(day.day.weekdayName) \(day.day), \(day.verdict.rawValue)")
    }
    picture.height = grid.size.height + 24
    return picture
  }

  private static func shape(of verdict: HiveVerdict) -> CombShape? {
    switch verdict {
    case .advanced: .done
    case .broken: .missed
    case .open: .open
    case .off, .unshared: .off
    case .leftOut: .leftOut
    case .before: nil
    }
  }

  /// A text description, for accessibility.
  private var description: String {
    let card = report.card
    let members = card.members.map { member in
      "\(member.name): \(member.isDone ? "done" : member.isRequired ? "not done yet" : "not required")"
    }
    let advanced = report.comb.count { $0.verdict == .advanced }
    return "\(card.ring). Shared streak \(card.streak), longest \(report.longest). "
      + members.joined(separator: ", ")
      + ". \(advanced) of the last \(report.comb.count.counted("day")) advanced."
  }
}
