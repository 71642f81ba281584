import Daybook
import PropertyTesting

/// A command about a hive. Hives, members and invites are named by small numbers, like habits.
enum HiveAction: Sendable {
  case create(key: Int?, name: Int, schedule: Int, threshold: Int?)
  case fromHabit(Int, key: Int?, days: Int, threshold: Int?)
  case describe(Int, name: Int?)
  case delete(Int)
  case handOver(Int, to: Int)
  case invite(Int, minutes: Int, uses: Int)
  case revoke(Int)
  case join(Int)
  case leave(Int)
  case remove(Int, from: Int)
  case link(Int, habit: Int?)
  case log(Int, When, value: Int)
  case clear(Int, When)
  case advance(Int, ago: Int)
  case settle
}

extension HiveAction {
  func command(_ ledger: some Ledger, _ at: Instant?) -> any Command {
    switch self {
    case .create(let key, let name, let schedule, let threshold):
      CreateHive(
        key: key.map { Menu.key(4, $0) }, name: Menu.texts[name],
        schedule: WeekdayMask(bits: [127, 31, 127, 96][schedule]) ?? .everyDay,
        threshold: threshold)
    case .fromHabit(let habit, let key, let days, let threshold):
      CreateHiveFromHabit(
        ledger.number(habit), key: key.map { Menu.key(4, $0) }, backfillDays: days,
        threshold: threshold)
    case .describe(let hive, let name): update(ledger.hive(hive), name)
    case .delete(let hive): DeleteHive(ledger.hive(hive))
    case .handOver(let hive, let person): HandOverHive(ledger.hive(hive), to: Self.person(person))
    case .invite(let hive, let minutes, let uses):
      CreateHiveInvite(ledger.hive(hive), minutes: minutes, maximumUseCount: uses)
    case .revoke(let invite): RevokeHiveInvite(ledger.code(invite))
    case .join(let invite): JoinHive(ledger.code(invite))
    case .leave(let hive): LeaveHive(ledger.hive(hive))
    case .remove(let person, let hive):
      RemoveHiveMember(Self.person(person), from: ledger.hive(hive))
    case .link(let hive, let habit):
      LinkHabit(habit.map { ledger.number($0) }, to: ledger.hive(hive))
    case .log(let hive, let when, let value):
      LogHiveDay(
        ledger.hive(hive), value: Menu.pick(Menu.values, value),
        day: ledger.choice(when, ledger.owner(ofHive: hive), at))
    case .clear(let hive, let when):
      ClearHiveLog(ledger.hive(hive), day: ledger.choice(when, ledger.owner(ofHive: hive), at))
    case .advance(let hive, let ago):
      AdvanceHiveDay(
        ledger.hive(hive),
        day: ledger.today(ledger.owner(ofHive: hive), at).advanced(by: -ago))
    case .settle: Settle()
    }
  }

  private func update(_ hive: Hive.ID, _ name: Int?) -> UpdateHive {
    UpdateHive(hive) {
      if let name { $0.name = Menu.texts[name] }
      $0.emoji = "🐝"
    }
  }

  private static func person(_ index: Int) -> Account.ID { Account.ID(index + 1) ?? .first }

  /// The account that may send it: the owner of the hive, or anybody.
  func actor(_ ledger: some Ledger, _ step: Step) -> Account.ID? {
    switch self {
    case .settle: nil
    case .describe(let hive, _), .delete(let hive), .handOver(let hive, _),
      .invite(let hive, _, _), .remove(_, let hive):
      ledger.owner(ofHive: hive)
    case .revoke(let invite): ledger.ownerOfInvite(invite)
    case .fromHabit(let habit, _, _, _), .link(_, .some(let habit)):
      ledger.state.habits[ledger.number(habit)]?.owner ?? ledger.account(step.actor)
    default: ledger.account(step.actor)
    }
  }
}

extension Ledger {
  fileprivate func hive(_ index: Int) -> Hive.ID {
    let count = state.hives.elements.count
    return Hive.ID(index == 7 || count == 0 ? 99 : index % count + 1) ?? state.hives.nextNumber
  }

  fileprivate func owner(ofHive index: Int) -> Account.ID? {
    state.hives[hive(index)]?.owner ?? account(0)
  }

  fileprivate func code(_ index: Int) -> String {
    let codes = state.hives.elements.flatMap { $0.invites.map(\.code) }
    return codes.isEmpty || index == 7 ? "ffffffffffff" : codes[index % codes.count]
  }

  fileprivate func ownerOfInvite(_ index: Int) -> Account.ID? {
    state.hive(ofCode: code(index)).flatMap { state.hives[$0]?.owner } ?? account(0)
  }
}

extension PropertyTesting.Source {
  /// One of the first hives; 7 names a missing one.
  private mutating func hive() throws -> Int {
    try draw(.frequency((9, .constant(0)), (3, .constant(1)), (1, .constant(7))))
  }

  /// A second account, and a hive that both are in.
  mutating func sharedHive() throws -> [Step] {
    let actions: [(Int, HiveAction)] = [
      (
        0,
        .create(key: 0, name: 1, schedule: try below(4), threshold: try maybe(30, below: 3))
      ),
      (0, .invite(0, minutes: 100_000, uses: 20)), (1, .join(0)),
      (1, .link(0, habit: try maybe(60, below: 3))),
    ]
    return [Step(wait: 0, actor: 1, action: .createAccount(key: 1, zone: try below(8), start: 0))]
      + actions.map { Step(wait: 1, actor: $0.0, action: .hive($0.1)) }
  }

  mutating func hiveAct() throws -> HiveAction {
    try draw(Self.actions)
  }

  private static let actions = Generator<HiveAction>.frequency(
    (14, Generator { .log(try $0.hive(), try $0.when(), value: try $0.below(7)) }),
    (3, Generator { .clear(try $0.hive(), try $0.when()) }),
    (10, Generator { .join(try $0.below(8)) }),
    (
      5,
      Generator {
        .invite(
          try $0.hive(), minutes: try $0.draw(.element(of: [100_000, 1000, 1, 0])),
          uses: try $0.draw(.element(of: [20, 2, 1, 0])))
      }
    ),
    (
      5,
      Generator {
        .create(
          key: try $0.maybe(60, below: 3), name: try $0.below(4), schedule: try $0.below(4),
          threshold: try $0.maybe(40, below: 3))
      }
    ),
    (
      4,
      Generator {
        .fromHabit(
          try $0.habit(), key: try $0.maybe(40, below: 3),
          days: try $0.draw(.element(of: [30, 0, 1, 90, 91, -3])),
          threshold: try $0.maybe(40, below: 3))
      }
    ),
    (3, Generator { .link(try $0.hive(), habit: try $0.maybe(80, below: 6)) }),
    (3, Generator { .advance(try $0.hive(), ago: try $0.draw(.integer(in: -2...6))) }),
    (4, .constant(.settle)), (2, Generator { .leave(try $0.hive()) }),
    (2, Generator { .remove(try $0.below(4), from: try $0.hive()) }),
    (2, Generator { .handOver(try $0.hive(), to: try $0.below(4)) }),
    (2, Generator { .describe(try $0.hive(), name: try $0.maybe(80, below: 5)) }),
    (1, Generator { .revoke(try $0.below(8)) }), (1, Generator { .delete(try $0.hive()) }))
}
