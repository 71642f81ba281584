package import Avro
package import Daybook
import Journal

/// The options and the result of importing a habit tracker's export.
package enum HabitImport {
  /// The account that gets the habits.
  package enum Account: Sendable {
    /// An account of the book.
    case existing(Daybook.Account.ID)
    /// A new account, created in the same commit.
    case new(CreateAccount)
  }

  /// The times at which entries are recorded.
  package enum Recording: String, Sendable {
    /// At the book's clock: the book learns everything now.
    case now
    /// As if the book had been there: each habit at the start of its first entered day, each entry
    /// at the end of its day. Queries as of a past day then have answers. No entry gets a time before
    /// the book's last entry or after its clock, so this is meant for an empty book.
    case asLived = "as-lived"
  }

  /// The result of an import.
  package struct Summary: Sendable, Hashable {
    /// The account that has the habits.
    package internal(set) var account: Daybook.Account.ID
    /// How many habits were made.
    package internal(set) var habitsMade = 0
    /// How many habits an earlier import had made; these keep their look, schedule and target.
    package internal(set) var habitsFound = 0
    /// How many of the found habits were deleted since; these stay deleted.
    package internal(set) var habitsDeleted = 0
    /// How many entries were recorded.
    package internal(set) var entriesRecorded = 0
    /// How many entries an earlier import had recorded, even if their days were changed since.
    package internal(set) var entriesFound = 0
    /// How many days Loop had computed (`YES_AUTO`); these are left out.
    package internal(set) var computedLeftOut = 0
    /// How many notes are on days without an entry; these are not kept.
    package internal(set) var notesNotKept = 0
    /// Other content for which a book has no place.
    package internal(set) var leftOut: [Omission] = []

    /// The summary as JSON.
    ///
    /// - Parameters:
    ///   - recording: The name of the times at which entries are recorded.
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
  /// Records another habit tracker's export in one commit. Whatever an earlier import recorded is
  /// not recorded again, even if it was changed or cleared since; a later export adds its new days
  /// and habits.
  ///
  /// A habit is recognised by its name, so a habit that was renamed in the tracker becomes a new
  /// one here.
  ///
  /// - Parameters:
  ///   - export: The export.
  ///   - account: The account that gets the habits.
  ///   - recording: The times at which entries are recorded.
  ///   - isTrial: Whether to record nothing and only report what would be done.
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
      try plan.record(by: number, in: &batch, &summary, self.reader.journal.meter)
      return summary
    }
  }
}

/// Reads the book's clock. It changes nothing.
struct ReadClock: Command {
  func decide(_ state: BookState, _ context: Context) -> Decision<Instant> {
    Decision([], context.at)
  }
}
