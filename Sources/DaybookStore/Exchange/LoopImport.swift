public import Daybook

/// How a Loop export is recorded, and what came of it.
public enum LoopImport {
  /// Whose habits they become.
  public enum Account: Sendable {
    /// An account of the book.
    case existing(Daybook.Account.ID)
    /// An account that begins in the same commit.
    case new(CreateAccount)
  }

  /// At which times the entries are recorded.
  public enum Recording: Sendable {
    /// Everything at the book's clock: the book learns it now.
    case now
    /// Each habit at the start of its first entered day, each entry at the end of its own, as if the book
    /// had been there: so questions as of a past day are answered. Never before the book's last entry, nor
    /// after its clock; meant for an empty book.
    case asLived
  }

  /// What an import did.
  public struct Summary: Sendable, Hashable {
    /// Whose the habits are.
    public internal(set) var account: Daybook.Account.ID
    /// How many habits were made.
    public internal(set) var habitsMade = 0
    /// How many had been made by an earlier import; they keep their look, schedule and target.
    public internal(set) var habitsFound = 0
    /// How many of those were deleted since; they are left alone.
    public internal(set) var habitsDeleted = 0
    /// How many entries were recorded.
    public internal(set) var entriesRecorded = 0
    /// How many had been recorded before, whatever became of their days since.
    public internal(set) var entriesFound = 0
    /// How many days Loop had computed (`YES_AUTO`); they are left out.
    public internal(set) var computedLeftOut = 0
    /// How many notes stand on days without an entry; they are not kept.
    public internal(set) var notesNotKept = 0
  }
}

extension Book {
  /// Records a Loop export in one commit. What an earlier import recorded is not recorded again, also
  /// when it was changed or cleared since; a later export adds its new days and habits.
  ///
  /// A habit is told by its name, so one that was renamed in Loop is another one here.
  ///
  /// - Throws: ``ExchangeError`` with the file and line, ``Rejection`` about the account, or
  ///   ``JournalError``; then nothing changed.
  @discardableResult
  public func importLoop(
    _ export: LoopExport, for account: LoopImport.Account, recorded: LoopImport.Recording
  ) throws -> LoopImport.Summary {
    try transaction { batch throws in
      var plan = LoopPlan(export, recorded: recorded, now: try batch.record(ReadClock()))
      plan.zones = self.reader.zones
      let number = try plan.begin(account, in: &batch)
      var summary = LoopImport.Summary(account: number)
      try plan.find(for: number, in: batch.state, self.reader, &summary)
      try plan.carryOut(by: number, in: &batch, &summary)
      return summary
    }
  }
}

/// Asks what the book's clock says. It changes nothing.
private struct ReadClock: Command {
  func decide(_ state: BookState, _ context: Context) -> Decision<Instant> {
    Decision([], context.at)
  }
}
