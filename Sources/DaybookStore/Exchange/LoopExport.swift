public import Daybook
public import Journal

/// What a person entered into Loop Habit Tracker, read from its unpacked CSV export.
///
///     DIR/Habits.csv                     a habit on each line
///     DIR/NNN Name/Checkmarks.csv        Date,Value,Notes: the days of the habit at position NNN
///     DIR/Checkmarks.csv                 a column for each habit: read where a habit's own file is missing
///
/// Columns are found by their names, and those that older versions lack take their defaults. The days
/// that Loop computed (`YES_AUTO`) are counted and left out.
public struct LoopExport: Sendable, Hashable {
  /// The habits by position.
  public let habits: [Habit]

  /// A habit with what was entered of its days.
  public struct Habit: Sendable, Hashable {
    /// The name.
    public internal(set) var name: String
    /// The question that asks for it, then its description, on lines of their own.
    public internal(set) var question = ""
    /// The colour, `#RRGGBB`.
    public internal(set) var color = LoopPalette.standard
    /// What its values count.
    public internal(set) var unit = ""
    /// Checked or counted.
    public internal(set) var type = HabitType.checkbox
    /// What a done day needs.
    public internal(set) var target = Target(.one)
    /// When it is due.
    public internal(set) var schedule = Schedule.daily
    /// Whether it was laid aside.
    public internal(set) var isArchived = false
    /// Its line of `Habits.csv`.
    public internal(set) var line: LoopExport.Line
    /// What was entered, a day once, ascending.
    public internal(set) var entries: [Entry] = []
    /// How many days Loop had computed; they are left out.
    public internal(set) var computedCount = 0
    /// How many notes stand on days on which nothing was entered; there is nothing to keep them on.
    public internal(set) var looseNoteCount = 0
  }

  /// What was entered of a day.
  public struct Entry: Sendable, Hashable {
    /// The day.
    public var day: Day
    /// The value; none when the day was skipped. An explicit no is zero.
    public var value: Amount?
    /// What the person wrote about it.
    public var note: String?
    /// Where it stands.
    public var line: LoopExport.Line
  }

  /// A line of a file of the export.
  public struct Line: Sendable, Hashable {
    /// The file's path.
    public var file: String
    /// The line, from 1.
    public var number: Int

    func malformed(_ reason: String) -> ExchangeError {
      .malformed(file: file, line: number, reason: reason)
    }
  }

  /// Reads the export in a directory.
  ///
  /// - Throws: ``ExchangeError``, for a malformed line with its file and number.
  public init(
    at directory: String, storage: any Storage = FileStorage(followingLinks: true)
  ) throws(ExchangeError) {
    habits = try LoopReader(directory: directory, storage: storage).habits()
  }
}

/// The colours of Loop's palette, by which older exports number them.
enum LoopPalette {
  /// What a habit has whose export tells no colour.
  static let standard = "#FF9F1C"

  private static let colors = [
    "#D32F2F", "#E64A19", "#F57C00", "#FF8F00", "#F9A825", "#AFB42B", "#7CB342", "#388E3C",
    "#00897B", "#00ACC1", "#039BE5", "#1976D2", "#303F9F", "#5E35B1", "#8E24AA", "#D81B60",
    "#5D4037", "#303030", "#757575", "#AAAAAA",
  ]

  /// The colour of a cell: `#RRGGBB`, or its number; `nil` for anything else.
  static func color(_ cell: String) -> String? {
    if cell.isEmpty { return standard }
    if let number = Int(cell), colors.indices.contains(number) { return colors[number] }
    let digits = cell.utf8.dropFirst()
    let isColor =
      cell.utf8.first == UInt8(ascii: "#") && digits.count == 6
      && cell.dropFirst().allSatisfy { $0.isASCII && $0.isHexDigit }
    return isColor ? cell : nil
  }
}
