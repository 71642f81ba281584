package import Daybook
package import Journal

/// What a person entered into another habit tracker, read from its export.
package struct HabitExport: Sendable, Hashable {
  /// Which program wrote it.
  package let program: Program
  /// The habits in their order.
  package let habits: [Habit]
  /// What of it has no place in a book, and how often it is there, in the order in which it is found.
  package private(set) var leftOut: [LeftOut] = []

  /// The programs whose exports are read.
  package enum Program: String, CaseIterable, Sendable {
    /// Loop Habit Tracker: the CSV export, packed or not.
    case loop
    /// HabitBull: the one CSV file.
    case habitBull = "habitbull"
    /// Tickmate for iOS: the one CSV file.
    case tickmate
  }

  /// A habit with what was entered of its days.
  package struct Habit: Sendable, Hashable {
    package internal(set) var name: String
    /// The question that asks for it, then its description, on lines of their own.
    package internal(set) var question = ""
    /// The colour, `#RRGGBB`.
    package internal(set) var color = LoopPalette.standard
    /// What its values count.
    package internal(set) var unit = ""
    /// Checked or counted.
    package internal(set) var type = HabitType.checkbox
    /// What a done day needs.
    package internal(set) var target = Target(.one)
    /// When it is due.
    package internal(set) var schedule = Schedule.daily
    /// Whether it was laid aside.
    package internal(set) var isArchived = false
    /// Its line of `Habits.csv`.
    package internal(set) var line: HabitExport.Line
    /// What was entered, a day once, ascending.
    package internal(set) var entries: [Entry] = []
    /// How many days Loop had computed; they are left out.
    package internal(set) var computedCount = 0
    /// How many notes stand on days on which nothing was entered; there is nothing to keep them on.
    package internal(set) var looseNoteCount = 0
  }

  /// What was entered of a day.
  package struct Entry: Sendable, Hashable {
    package var day: Day
    /// The value; none when the day was skipped. An explicit no is zero.
    package var value: Amount?
    /// What the person wrote about it.
    package var note: String?
    /// Where it stands.
    package var line: HabitExport.Line
  }

  /// A line of a file of the export.
  package struct Line: Sendable, Hashable {
    /// The file's path.
    package var file: String
    /// The line, from 1.
    package var number: Int

    func malformed(_ reason: String) -> ExchangeError {
      .malformed(file: file, line: number, reason: reason)
    }
  }

  /// Reads an export.
  ///
  /// - Parameters:
  ///   - path: The file; of Loop the archive, or the directory into which it was unpacked.
  ///   - program: Which program wrote it.
  ///   - storage: Where the path leads.
  /// - Throws: ``ExchangeError``, for a malformed line with its file and number.
  package init(
    at path: String, from program: Program = .loop,
    storage: any Storage = FileStorage(followingLinks: true)
  ) throws(ExchangeError) {
    self.program = program
    switch program {
    case .loop: habits = try LoopReader(at: path, storage).habits()
    case .habitBull:
      var reader = HabitBullReader()
      habits = try reader.habits(of: try Self.table(at: path, storage))
      leftOut.note("categories", reader.categoryCount)
    case .tickmate: habits = try TickmateReader.habits(of: try Self.table(at: path, storage))
    }
  }

  private static func table(
    at path: String, _ storage: any Storage
  ) throws(ExchangeError) -> CSVReader {
    let bytes = try ForeignFiles.bytes(of: path, storage)
    guard !bytes.starts(with: ForeignFiles.databaseMark) else { throw .database(path: path) }
    return CSVReader(bytes, file: path)
  }
}

/// The colours of Loop's palette, by which older exports number them.
enum LoopPalette {
  /// What a habit has whose export tells no colour.
  static let standard = HabitDescription.usualColor

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
