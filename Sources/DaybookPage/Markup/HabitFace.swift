import Avro

/// How a habit, or a hive, looks: a hexagon in its colour, with its picture in it.
struct HabitFace {
  /// The colour of a habit that has none that a browser knows.
  static let usualColor = "#ff9f1c"

  private let row: JSON?

  /// The look of a row with `color_hex` and `emoji`.
  init(_ row: JSON?) { self.row = row }

  /// The colour as `#rrggbb`, the one form that a colour field takes.
  var color: String {
    let digits = Array((row?["color_hex"]?.text ?? "").lowercased().dropFirst())
    guard digits.allSatisfy({ $0.isASCII && $0.isHexDigit }) else { return Self.usualColor }
    switch digits.count {
    case 6: return "#" + String(digits)
    case 3: return "#" + digits.map { "\($0)\($0)" }.joined()
    default: return Self.usualColor
    }
  }

  /// The values for the template `face`.
  var fields: Fields { ["color": color, "picture": row?["emoji"]?.shown ?? Nothing()] }
}
