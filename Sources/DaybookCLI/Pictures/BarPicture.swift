import Pictures

/// Shares as a bar chart in SVG, in parts with a heading each.
struct BarPicture {
  /// A group of bars.
  struct BarGroup {
    /// The heading.
    let head: String
    /// The label of each bar, its share from 0 to 1, and the figures behind it.
    var bars: [(label: String, share: Double, figures: String)] = []
    /// The notes below the bars.
    var notes: [String] = []
  }

  let title: String
  let parts: [BarGroup]
  let theme: Picture.ColorTheme

  private static let (left, barWidth, barHeight, step) = (110.0, 280.0, 12.0, 20.0)

  var picture: Picture {
    var picture = Picture(title, description, theme, width: 560)
    // The bars have one green on either background; only their length matters.
    picture.rules = [(".share{fill:", "#34A853", "#34C759")]
    var y = 56.0
    for part in parts {
      for line in part.head.wrapped(to: 64) {
        picture.text(line, x: 20, y: y, size: 12, attributes: "font-weight=\"600\"")
        y += Self.step
      }
      for (label, share, figures) in part.bars {
        picture.text(label, x: Self.left - 10, y: y, "faint", attributes: "text-anchor=\"end\"")
        picture.part(
          ShareBar(share, width: Self.barWidth, height: Self.barHeight)
            .body(x: Self.left, y: y - Self.barHeight + 2, hint: "\(label): \(figures)"))
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

  /// A text description of the bars, for accessibility.
  private var description: String {
    parts.map { part in
      let bars = part.bars.map { "\($0.label) \($0.figures)" }.joined(separator: ", ")
      return ([part.head + (bars.isEmpty ? "" : ": " + bars)] + part.notes).joined(separator: ". ")
    }.joined(separator: ". ")
  }
}
