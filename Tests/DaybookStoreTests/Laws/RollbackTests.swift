import Daybook
import DaybookStore
import PropertyTesting
import Testing

/// Rolling back entries, as a book does with its state until the entries are on disk.
@Suite(.tags(.law)) struct RollbackTests {
  @Test func `a rollback restores the state, and the entries apply again`() {
    let report = check("apply and roll back", .histories(), cases: 25) { history, statistics in
      var ledger = RollbackLedger(HandClock(Menu.beginnings[history.beginning]))
      for step in history.steps { _ = try ledger.play(step) }
      statistics.cover("over several commands", atLeast: 60, ledger.longest > 5)
      cover(hivesOf: ledger.state, &statistics)
      try expectEqual(ledger.complaints, [])
    }
    #expect(report.passed, "\(report)")
  }

  @Test func `a rollback in a damaged book also returns what came from another account`() throws {
    var ledger = StateLedger(clock: HandClock(Menu.beginnings[0]))
    for zone in ["Europe/London", "Asia/Kathmandu"] {
      try ledger.record(CreateAccount(timeZone: zone), by: nil, at: nil, id: nil)
    }
    let (ada, bee) = (Account.ID(1), Account.ID(2))
    let commands: [any Command] = [
      LinkIdentity(Menu.identity(0), isVerified: true), RegisterDevice(token: "a"),
    ]
    for command in commands { try ledger.record(command, by: ada, at: nil, id: nil) }
    // The entries where Ada gave them up are lost: only Bee's remain.
    var elsewhere = ledger
    let losses: [any Command] = [
      UnlinkIdentity(Menu.identity(0)), UnregisterDevice(token: "a"),
    ]
    for command in losses { try elsewhere.record(command, by: ada, at: nil, id: nil) }
    let before = ledger.state
    var rollback = Rollback()
    for command in commands {
      for entry in try elsewhere.decide(command, by: bee) {
        ledger.state.apply(entry, noting: &rollback)
      }
    }
    #expect(ledger.state.account(having: Menu.identity(0)) == bee)
    #expect(ledger.state.account(ofDevice: "a") == bee)
    #expect(ledger.state.accounts.elements.map(\.identities.count) == [0, 1])
    #expect(ledger.state.accounts.elements.map(\.devices.count) == [0, 1])
    ledger.state.rollBack(&rollback)
    #expect(ledger.state.isSame(as: before))
    #expect(ledger.state.account(having: Menu.identity(0)) == ada)
  }
}

/// A ledger that rolls back some commands at a time, and applies them again.
private struct RollbackLedger: Ledger {
  var ledger: StateLedger
  var complaints: [String] = []
  var longest = 0
  private var rollback = Rollback()
  private var pending: [Entry] = []
  /// The state before each pending entry.
  private var before: [BookState] = []

  init(_ clock: HandClock) { ledger = StateLedger(clock: clock) }

  var state: BookState { ledger.state }
  var clock: HandClock { ledger.clock }

  mutating func record<C: Command>(
    _ command: C, by actor: Account.ID?, at: Instant?, id: Key?
  ) throws {
    take(try ledger.decide(command, by: actor, at: at, id: id))
  }

  mutating func record(_ commands: [LogHabit], by actor: Account.ID?, at: Instant?) throws {
    for command in commands { take(try ledger.decide(command, by: actor, at: at)) }
  }

  private mutating func take(_ entries: [Entry]) {
    for entry in entries {
      pending.append(entry)
      before.append(ledger.state)
      ledger.state.apply(entry, noting: &rollback)
    }
    longest = max(longest, pending.count)
    let after = ledger.state
    // Rolls back to some place and applies again; now and then everything is settled.
    let mark = pending.count * (entries.count % 4) / 4
    if mark < pending.count {
      ledger.state.rollBack(&rollback, leaving: mark)
      compare(ledger.state, before[mark], pending[mark...])
      for entry in pending[mark...] { ledger.state.apply(entry, noting: &rollback) }
    }
    compare(ledger.state, after, [])
    if pending.count > 12 {
      rollback = Rollback()
      pending = []
      before = []
    }
  }

  private mutating func compare(
    _ found: BookState, _ expected: BookState, _ undone: ArraySlice<Entry>
  ) {
    guard found.isSame(as: expected) else {
      complaints.append("before \(expected.position + 1): another state")
      return
    }
    for entry in undone {
      let isSame =
        switch entry.event {
        case .accountCreated(let event):
          found.accounts.number(of: event.key) == expected.accounts.number(of: event.key)
        case .habitCreated(let event):
          found.habits.number(of: event.key) == expected.habits.number(of: event.key)
        case .goalCreated(let event):
          found.goals.number(of: event.key) == expected.goals.number(of: event.key)
        case .hiveCreated(let event):
          found.hives.number(of: event.key) == expected.hives.number(of: event.key)
        case .taskCreated(let event):
          found.tasks.number(of: event.key) == expected.tasks.number(of: event.key)
            && found.tasks(of: event.owner).count == expected.tasks(of: event.owner).count
        case .labelCreated(let event):
          found.labels.number(of: event.key) == expected.labels.number(of: event.key)
            && found.labels(of: event.owner).count == expected.labels(of: event.owner).count
        case .hiveInviteCreated(let event):
          found.hive(ofCode: event.code) == expected.hive(ofCode: event.code)
        case .hiveJoined(let event):
          found.hives(of: event.member) == expected.hives(of: event.member)
        default: true
        }
      if !isSame { complaints.append("entry \(entry.head.position): its key is still known") }
    }
  }
}
