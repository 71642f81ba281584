import Daybook
import PropertyTesting

/// A random history: its start, and its steps.
struct History: Sendable {
  var beginning: Int
  var steps: [Step]
}

extension Generator where Value == History {
  /// Histories of an account with habits, and of later events.
  static func histories(_ count: ClosedRange<Int> = 0...40) -> Generator<History> {
    Generator { source in
      let beginning = try source.below(Menu.beginnings.count)
      var steps = [
        Step(wait: 0, actor: 0, action: try source.account(key: 0)),
        Step(wait: 1, actor: 0, action: .createHabit(key: 0, goal: nil, try source.plan())),
      ]
      // Hives need several accounts: often two share one from the start.
      if try source.happens(40) { steps += try source.sharedHive() }
      try source.repeated(count) { source in steps.append(try source.step()) }
      return History(beginning: beginning, steps: steps)
    }
  }
}

extension PropertyTesting.Source {
  mutating func below(_ count: Int) throws -> Int { Int(try choose(upTo: UInt64(count - 1))) }

  mutating func happens(_ percent: Int) throws -> Bool {
    try draw(.bool(probability: Double(percent) / 100))
  }

  /// A number below `count`; or, in this many of a hundred cases, `nil`, which is simpler.
  mutating func maybe(_ percent: Int, below count: Int) throws -> Int? {
    try happens(percent) ? try below(count) : nil
  }

  mutating func step() throws -> Step {
    // From zero over minutes and hours to days; most often about a day, so that streaks grow.
    let wait = try draw(
      .frequency(
        (2, .constant(0)), (3, .integer(in: 1...60)), (4, .integer(in: 120...1200)),
        (8, .integer(in: 1300...1600)), (2, .integer(in: 2000...7000)),
        (1, .integer(in: 10_000...40_000))))
    let actor = try draw(.frequency((5, .constant(0)), (2, .integer(in: 1...3))))
    let isStrange = try happens(4)
    let timing = try draw(
      Generator<Step.Timing>.frequency(
        (20, .constant(.clock)), (10, .constant(.given)), (1, .constant(.backwards)),
        (1, .constant(.setBack))))
    return Step(
      wait: wait, actor: actor, isStrange: isStrange, timing: timing,
      id: try maybe(30, below: 9), action: try draw(Self.actions))
  }

  private static let actions = Generator<Action>.frequency(
    (30, Generator { try $0.log() }),
    (
      14,
      Generator {
        .logRun(
          try $0.habit(), ago: try $0.below(25), days: 1 + (try $0.below(7)),
          value: try $0.below(5))
      }
    ),
    (5, Generator { .clear(try $0.habit(), try $0.when()) }),
    (7, Generator { .skip(try $0.habit(), try $0.when(), note: try $0.maybe(30, below: 3)) }),
    (6, Generator { .updateHabit(try $0.habit(), try $0.edit()) }),
    (
      6,
      Generator {
        .updateProfile(
          name: try $0.maybe(20, below: 5), zone: try $0.maybe(60, below: 9),
          start: try $0.maybe(30, below: 6), theme: try $0.maybe(20, below: 3))
      }
    ),
    (
      4,
      Generator {
        .pause(
          from: try $0.draw(.integer(in: -12...6)),
          days: try $0.draw(Generator<Int>.integer(in: -1...9).optional(nilProbability: 0.2)))
      }
    ),
    (2, .constant(.resume)), (1, .constant(.userLocalDate)),
    (
      5,
      Generator {
        .createHabit(
          key: try $0.maybe(70, below: 6), goal: try $0.maybe(25, below: 4), try $0.plan())
      }
    ),
    (3, Generator { .archive(try $0.habit()) }), (3, Generator { .restore(try $0.habit()) }),
    (1, Generator { .delete(try $0.habit()) }),
    (2, Generator { .focus(try $0.maybe(70, below: 6)) }),
    (2, Generator { try $0.account(key: try $0.maybe(80, below: 4)) }),
    (2, Generator { .createGoal(key: try $0.maybe(80, below: 3), title: try $0.below(5)) }),
    (1, Generator { .updateGoal(try $0.below(4), title: try $0.maybe(80, below: 5)) }),
    (1, Generator { .deleteGoal(try $0.below(4)) }),
    (26, Generator { .hive(try $0.hiveAct()) }),
    (26, Generator { .household(try $0.householdAct()) }),
    (16, TaskAction.actions.map { .task($0) }),
    (2, Generator { .attach(try $0.habit(), goal: try $0.below(4)) }),
    (1, Generator { .detach(try $0.habit()) }), (6, PersonalAction.actions.map { .person($0) }))

  /// One of the first habits; 7 names a missing one.
  mutating func habit() throws -> Int {
    try draw(.frequency((6, .constant(0)), (5, .integer(in: 1...3)), (1, .integer(in: 4...7))))
  }

  mutating func when() throws -> When {
    try draw(
      .frequency(
        (6, .constant(.today)), (6, Generator<Int>.integer(in: -1...12).map { .ago($0) }),
        (2, Generator<Int>.integer(in: -30...4000).map { .instant(minutesAgo: $0) })))
  }

  private mutating func log() throws -> Action {
    let anySource = Generator<LogSource>.element(of: [.manual, .api, .sync, .import])
    return .log(
      try habit(), try when(),
      value: try draw(.frequency((3, .constant(0)), (5, .integer(in: 0...7)))),
      source: try draw(.frequency((4, .constant(.manual)), (2, anySource))),
      note: try maybe(20, below: 3))
  }

  fileprivate mutating func plan() throws -> Plan {
    Plan(
      name: try happens(5) ? try below(5) : 1, type: try happens(30) ? .counter : .checkbox,
      amount: try happens(40) ? try below(6) : 0, bound: try happens(12) ? .atMost : .atLeast,
      schedule: try happens(60) ? try below(14) : 0, reminders: try below(3))
  }

  mutating func account(key: Int?) throws -> Action {
    .createAccount(key: key, zone: try below(9), start: try happens(5) ? 5 : try below(5))
  }

  private mutating func edit() throws -> PlanEdit {
    PlanEdit(
      name: try maybe(10, below: 5), type: try happens(10) ? .counter : nil,
      amount: try maybe(40, below: 6), bound: try happens(10) ? .atMost : nil,
      schedule: try maybe(50, below: 14), reminders: try maybe(10, below: 3))
  }
}
