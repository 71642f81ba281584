package import Daybook
package import Journal

/// What a person entered into another habit tracker, read from its export.
package struct HabitExport: Sendable, Hashable {
  /// The program that wrote it.
  package let program: Program
  /// The habits in their order.
  package let habits: [Habit]
  /// Content for which a book has no place, with counts, in the order in which it was found.
  package private(set) var leftOut: [Omission] = []

  /// The programs whose exports are read.
  package enum Program: String, CaseIterable, Sendable {
    /// Loop Habit Tracker: the CSV export, as an archive or unpacked.
    case loop
    /// HabitBull: the one CSV file.
    case habitBull = "habitbull"
    /// Tickmate for iOS: the one CSV file.
    case tickmate
  }

  /// A habit and the entries of its days.
  package struct Habit: Sendable, Hashable {
    package internal(set) var name: String
    /// The habit's question and its description, each on a line of its own.
    package internal(set) var question = ""
    /// The colour, `#RRGGBB`.
    package internal(set) var color = LoopPalette.standard
    /// The unit of its values.
    package internal(set) var unit = ""
    /// Checked or counted.
    package internal(set) var type = HabitType.checkbox
    /// The target of a day.
    package internal(set) var target = Target(.one)
    /// When it is due.
    package internal(set) var schedule = Schedule.daily
    /// Whether it was archived.
    package internal(set) var isArchived = false
    /// Its line of `Habits.csv`.
    package internal(set) var line: HabitExport.Line
    /// The entries, at most one a day, ascending.
    package internal(set) var entries: [Entry] = []
    /// How many days Loop computed; these are left out.
    package internal(set) var computedCount = 0
    /// How many notes are on days without an entry; these cannot be kept.
    package internal(set) var looseNoteCount = 0
  }

  /// The entry of a day.
  package struct Entry: Sendable, Hashable {
    package var day: Day
    /// The value; nil when the day was skipped. An explicit no is zero.
    package var value: Amount?
    /// The person's note.
    package var note: String?
    /// The line of the entry.
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
  ///   - path: The file; for Loop, the archive or the directory into which it was unpacked.
  ///   - program: The program that wrote it.
  ///   - storage: The storage.
  /// - Throws: ``ExchangeError``, for a malformed line with its file and number.
  package init(
    at path: String, from program: Program = .loop,
    storage: any Storage = FileStorage(followingLinks: true)
  ) throws(ExchangeError) {
    // Only Loop's may be unpacked.
    guard program != .loop else {
      self.init(program, try LoopReader(at: path, storage).habits())
      return
    }
    try self.init(of: try ForeignFiles.bytes(of: path, storage), named: path, from: program)
  }

  private init(_ program: Program, _ habits: [Habit]) {
    self.program = program
    self.habits = habits
  }

  /// Reads an export whose bytes are given.
  ///
  /// - Parameters:
  ///   - bytes: The file; for Loop, the archive.
  ///   - name: Its name, for errors.
  ///   - program: The program that wrote it.
  /// - Throws: ``ExchangeError``, for a malformed line with its number.
  package init(
    of bytes: [UInt8], named name: String, from program: Program
  ) throws(ExchangeError) {
    self.program = program
    switch program {
    case .loop: habits = try LoopReader(archive: bytes, named: name).habits()
    case .habitBull:
      var reader = HabitBullReader()
      habits = try reader.habits(of: try Self.table(bytes, name))
      leftOut.note("categories", reader.categoryCount)
    case .tickmate: habits = try TickmateReader.habits(of: try Self.table(bytes, name))
    }
  }

  private static func table(
    _ bytes: [UInt8], _ path: String
  ) throws(ExchangeError) -> CSVReader {
    guard !bytes.starts(with: ForeignFiles.databaseMark) else { throw .database(path: path) }
    return CSVReader(bytes, file: path)
  }
}

/// The colours of Loop's palette; older exports give their numbers.
enum LoopPalette {
  /// The colour of a habit whose export gives none.
  static let standard = HabitDescription.usualColor

  private static let colors = [
    "#D32F2F", "#E64A19", "#F57C00", "#FF8F00", "#F9A825", "#AFB42B", "#7CB342", "#388E3C",
    "#00897B", "#00ACC1", "#039BE5", "#1976D2", "#303F9F", "#5E35B1", "#8E24AA", "#D81B60",
    "#5D4037", "#303030", "#757575", "#AAAAAA",
  ]

  /// The colour in a cell, as `#RRGGBB` or a palette number; `nil` for anything else.
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
