package import Avro
package import Daybook
import Journal

/// How the export of a habit tracker is recorded, and what came of it.
package enum HabitImport {
  /// Whose habits they become.
  package enum Account: Sendable {
    /// An account of the book.
    case existing(Daybook.Account.ID)
    /// An account that begins in the same commit.
    case new(CreateAccount)
  }

  /// At which times the entries are recorded.
  package enum Recording: Sendable {
    /// Everything at the book's clock: the book learns it now.
    case now
    /// Each habit at the start of its first entered day, each entry at the end of its own, as if the book
    /// had been there: so questions as of a past day are answered. Never before the book's last entry, nor
    /// after its clock; meant for an empty book.
    case asLived
  }

  /// What an import did.
  package struct Summary: Sendable, Hashable {
    /// Whose the habits are.
    package internal(set) var account: Daybook.Account.ID
    /// How many habits were made.
    package internal(set) var habitsMade = 0
    /// How many had been made by an earlier import; they keep their look, schedule and target.
    package internal(set) var habitsFound = 0
    /// How many of those were deleted since; they are left alone.
    package internal(set) var habitsDeleted = 0
    /// How many entries were recorded.
    package internal(set) var entriesRecorded = 0
    /// How many had been recorded before, whatever became of their days since.
    package internal(set) var entriesFound = 0
    /// How many days Loop had computed (`YES_AUTO`); they are left out.
    package internal(set) var computedLeftOut = 0
    /// How many notes stand on days without an entry; they are not kept.
    package internal(set) var notesNotKept = 0
    /// What else has no place in a book.
    package internal(set) var leftOut: [LeftOut] = []

    /// The summary as JSON.
    ///
    /// - Parameters:
    ///   - recording: How the times are called at which entries are recorded.
    ///   - isTrial: Whether nothing was recorded.
    /// - Returns: An object.
    package func json(recorded recording: String, trying isTrial: Bool) -> JSON {
      [
        "habits_made": .number(habitsMade), "habits_found": .number(habitsFound),
        "entries_recorded": .number(entriesRecorded), "entries_found": .number(entriesFound),
        "computed_left_out": .number(computedLeftOut), "habits_deleted": .number(habitsDeleted),
        "notes_not_kept": .number(notesNotKept), "left_out": leftOut.json,
        "recorded": .string(recording), "dry_run": .bool(isTrial),
      ]
    }
  }
}

extension Book {
  /// Records the export of another habit tracker in one commit. What an earlier import recorded is not recorded again, also
  /// when it was changed or cleared since; a later export adds its new days and habits.
  ///
  /// A habit is told by its name, so one that was renamed there is another one here.
  ///
  /// - Parameters:
  ///   - export: What was exported.
  ///   - account: Whose habits they become.
  ///   - recording: At which times the entries are recorded.
  ///   - isTrial: Whether nothing is recorded, and only said what would be.
  /// - Returns: What was done, or would be.
  /// - Throws: ``ExchangeError`` with the file and line, ``Rejection`` about the account, or
  ///   ``JournalError``; then nothing changed.
  @discardableResult
  package func importHabits(
    _ export: HabitExport, for account: HabitImport.Account,
    recorded recording: HabitImport.Recording, trying isTrial: Bool = false
  ) throws -> HabitImport.Summary {
    try transaction(trying: isTrial) { (batch: inout Batch) throws -> HabitImport.Summary in
      var plan = HabitImportPlan(export, recorded: recording, now: try batch.record(ReadClock()))
      plan.zones = self.reader.zones
      let number = try plan.begin(account, in: &batch)
      var summary = HabitImport.Summary(account: number)
      summary.leftOut = export.leftOut
      try plan.find(for: number, in: batch.state, self.reader, &summary)
      try plan.carryOut(by: number, in: &batch, &summary, self.reader.journal.meter)
      return summary
    }
  }
}

/// Asks what the book's clock says. It changes nothing.
struct ReadClock: Command {
  func decide(_ state: BookState, _ context: Context) -> Decision<Instant> {
    Decision([], context.at)
  }
}
