package import Calendar
package import Journal

/// The tasks that another program exported.
package struct TaskExport: Sendable, Hashable {
  /// Which program wrote it.
  package let program: Program
  /// The tasks, each after what it is a part of.
  package internal(set) var tasks: [Task] = []
  /// What of it has no place in a book, and how often it is there.
  package internal(set) var leftOut: [LeftOut] = []

  /// The programs whose exports are read.
  package enum Program: String, CaseIterable, Sendable {
    /// Todoist: a project as CSV, or the archive of all of them.
    case todoist
    /// Taskwarrior: `task export`, JSON.
    case taskwarrior
  }

  /// A task as the other program has it.
  package struct Task: Sendable, Hashable {
    /// By what it is known again: the other program's own id, or where it stands.
    package internal(set) var identity: [String]
    /// What is to be done.
    package internal(set) var title: String
    /// More about it, a line each.
    package internal(set) var notes: [String] = []
    /// When it is due.
    package internal(set) var due: Due?
    /// At what time of the day it is due, where no day is known.
    package internal(set) var time: LocalTime?
    /// How it repeats: an RFC 5545 RRULE value.
    package internal(set) var recurrence: String?
    /// Whether the next time is told from when it was done.
    package internal(set) var repeatsFromCompletion = false
    /// The names of its labels.
    package internal(set) var labels: [String] = []
    /// The place of the task that it is a part of.
    package internal(set) var parent: Int?
    /// Whether it is done.
    package internal(set) var isDone = false
    /// When it was done.
    package internal(set) var completed: Instant?
    /// Where it stands.
    package internal(set) var line: HabitExport.Line
  }

  /// When something is due.
  package enum Due: Sendable, Hashable {
    /// On a day.
    case day(Day)
    /// At a time on the wall of whoever has it.
    case local(Day, LocalTime)
    /// At an instant.
    case instant(Instant)
  }

  init(program: Program) { self.program = program }

  /// Reads an export.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - program: Which program wrote it.
  ///   - storage: Where the path leads.
  /// - Throws: ``ExchangeError``, for a malformed line with its file and number.
  package init(
    at path: String, from program: Program,
    storage: any Storage = FileStorage(followingLinks: true)
  ) throws(ExchangeError) {
    let bytes = try ForeignFiles.bytes(of: path, storage)
    switch program {
    case .todoist: self = try TodoistReader.tasks(of: bytes, path)
    case .taskwarrior: self = try TaskwarriorReader.tasks(of: bytes, path)
    }
  }
}
