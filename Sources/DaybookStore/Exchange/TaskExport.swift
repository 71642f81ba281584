package import Calendar
package import Journal

/// The tasks in another program's export.
package struct TaskExport: Sendable, Hashable {
  /// The program that wrote it.
  package let program: Program
  /// The tasks, each after its parent.
  package internal(set) var tasks: [Task] = []
  /// Content for which a book has no place, with counts.
  package internal(set) var leftOut: [Omission] = []

  /// The programs whose exports are read.
  package enum Program: String, CaseIterable, Sendable {
    /// Todoist: a project as CSV, or the archive of all projects.
    case todoist
    /// Taskwarrior: `task export`, JSON.
    case taskwarrior
  }

  /// A task as the other program has it.
  package struct Task: Sendable, Hashable {
    /// What identifies the task at a later import: the other program's own id, or its place.
    package internal(set) var identity: [String]
    /// What is to be done.
    package internal(set) var title: String
    /// More about it, a line each.
    package internal(set) var notes: [String] = []
    /// When it is due.
    package internal(set) var due: Due?
    /// The time of day at which it is due, where no day is known.
    package internal(set) var time: LocalTime?
    /// How it repeats: an RFC 5545 RRULE value.
    package internal(set) var recurrence: String?
    /// Whether the next occurrence is counted from the completion.
    package internal(set) var repeatsFromCompletion = false
    /// The names of its labels.
    package internal(set) var labels: [String] = []
    /// The index of its parent task.
    package internal(set) var parent: Int?
    /// Whether it is done.
    package internal(set) var isDone = false
    /// When it was done.
    package internal(set) var completed: Instant?
    /// The line of the task.
    package internal(set) var line: HabitExport.Line
  }

  /// A due time.
  package enum Due: Sendable, Hashable {
    /// On a day.
    case day(Day)
    /// At a local time, in the zone of the task's owner.
    case local(Day, LocalTime)
    /// At an instant.
    case instant(Instant)
  }

  init(program: Program) { self.program = program }

  /// Reads an export.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - program: The program that wrote it.
  ///   - storage: The storage.
  /// - Throws: ``ExchangeError``, for a malformed line with its file and number.
  package init(
    at path: String, from program: Program,
    storage: any Storage = FileStorage(followingLinks: true)
  ) throws(ExchangeError) {
    try self.init(of: try ForeignFiles.bytes(of: path, storage), named: path, from: program)
  }

  /// Reads an export whose bytes are given, with its name for errors.
  ///
  /// - Throws: ``ExchangeError``, for a malformed line with its number.
  package init(
    of bytes: [UInt8], named name: String, from program: Program
  ) throws(ExchangeError) {
    switch program {
    case .todoist: self = try TodoistReader.tasks(of: bytes, name)
    case .taskwarrior: self = try TaskwarriorReader.tasks(of: bytes, name)
    }
  }
}
