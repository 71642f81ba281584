/// Shares as a picture of bars, in parts that have a head each.
struct BarPicture {
  /// Some bars that belong together.
  struct Part {
    /// What they are about.
    let head: String
    /// A label, a share from 0 to 1, and the figures that it is made of.
    var bars: [(label: String, share: Double, figures: String)] = []
    /// What is said below them.
    var notes: [String] = []
  }

  let title: String
  let parts: [Part]
  let theme: Picture.Theme

  private static let (left, barWidth, barHeight, step) = (110.0, 280.0, 12.0, 20.0)

  var picture: Picture {
    var picture = Picture(title, description, theme, width: 560)
    // A bar in one green on both papers; its length is what tells.
    picture.rules = [(".share{fill:", "#34A853", "#34C759")]
    var y = 56.0
    for part in parts {
      for line in part.head.wrapped(to: 64) {
        picture.text(line, x: 20, y: y, size: 12, attributes: "font-weight=\"600\"")
        y += Self.step
      }
      for (label, share, figures) in part.bars {
        let (top, length) = (y - Self.barHeight + 2, min(1, max(0, share)) * Self.barWidth)
        picture.text(label, x: Self.left - 10, y: y, "faint", attributes: "text-anchor=\"end\"")
        picture.bar(x: Self.left, y: top, width: Self.barWidth, height: Self.barHeight, "track")
        if length > 0 {
          picture.bar(
            x: Self.left, y: top, width: max(length, Self.barHeight), height: Self.barHeight,
            "share", hint: "\(label): \(figures)")
        }
        picture.text(figures, x: Self.left + Self.barWidth + 10, y: y)
        y += Self.step
      }
      for note in part.notes {
        for line in note.wrapped(to: 84) {
          picture.text(line, x: 20, y: y, "faint")
          y += Self.step - 4
        }
      }
      y += 12
    }
    picture.text(
      "A whole bar: every day done that was due. The figures: days done of days due.", x: 20, y: y,
      size: 9, "faint")
    picture.height = y + 18
    return picture
  }

  /// What the bars say, for who does not see them.
  private var description: String {
    parts.map { part in
      let bars = part.bars.map { "\($0.label) \($0.figures)" }.joined(separator: ", ")
      return ([part.head + (bars.isEmpty ? "" : ": " + bars)] + part.notes).joined(separator: ". ")
    }.joined(separator: ". ")
  }
}
