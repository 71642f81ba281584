import Avro
import Daybook
import Journal
import PropertyTesting
import Testing

@testable import DaybookStore

/// Nobody reads what was written after they left (MC-11, HH-16).
///
/// Every text of a random history is a mark of the step that wrote it. Every answer is searched for marks: for
/// another account's text there must be a moment, at or after it was written, at which the reader was in the place
/// where it was written.
@Suite(.tags(.law)) struct InformationFlowTests {
  private static let people = (0..<3).map { Menu.key(1, $0) }
  private static let (home, hive) = (Menu.key(5, 1), Menu.key(4, 1))
  private static let start = Menu.beginnings[0]

  /// The place of a text: shared, or private.
  private enum Place: Hashable { case home, hive, profile, own }

  private struct Step: Sendable {
    var actor: Int
    var action: Int
    var number: Int
  }

  private static let steps = Generator { source -> [Step] in
    var steps: [Step] = []
    try source.repeated(0...30) { source in
      steps.append(
        Step(
          actor: try source.below(3), action: try source.below(Self.actionCount),
          number: try source.below(3)))
    }
    return steps
  }

  private static let actionCount = 30

  /// A step's command: its fields, and the places of its texts.
  private static func fields(_ step: Step, _ mark: String) -> (fields: String, place: Place) {
    let key = { (kind: UInt64) in Menu.key(kind, 10 + step.number) }
    let other = people[step.number]
    switch step.action {
    case 0: return (#""do":"update_profile","display_name":"\#(mark)""#, .profile)
    case 1: return (#""do":"create_habit","key":"\#(key(2))","name":"\#(mark)""#, .own)
    case 2: return (#""do":"update_habit","habit":"\#(key(2))","name":"\#(mark)""#, .own)
    case 3: return (#""do":"log_habit","habit":"\#(key(2))","note":"\#(mark)""#, .own)
    case 4: return (#""do":"create_goal","key":"\#(key(3))","title":"\#(mark)""#, .own)
    case 5: return (#""do":"create_task","key":"\#(key(6))","title":"\#(mark)""#, .own)
    case 6: return (#""do":"update_task","task":"\#(key(6))","title":"\#(mark)""#, .own)
    case 7, 8: return (#""do":"rename_household","name":"\#(mark)""#, .home)
    case 9, 10:
      return (
        #""do":"add_household_member","household":"\#(home)","member":"\#(other)""#, .home
      )
    case 11, 12: return (#""do":"remove_household_member","member":"\#(other)""#, .home)
    case 13: return (#""do":"leave_household""#, .home)
    case 14:
      return (#""do":"create_household_task","key":"\#(key(7))","title":"\#(mark)""#, .home)
    case 15:
      return (#""do":"update_household_task","task":"\#(key(7))","title":"\#(mark)""#, .home)
    case 16: return (#""do":"complete_household_task","task":"\#(key(7))""#, .home)
    case 17: return (#""do":"create_recipe","key":"\#(key(8))","title":"\#(mark)""#, .home)
    case 18: return (#""do":"update_recipe","recipe":"\#(key(8))","notes":"\#(mark)""#, .home)
    case 19:
      return (
        #""do":"plan_meal","key":"\#(key(9))","title":"\#(mark)","date":"2026-02-24","#
          + #""meal_type":"dinner""#, .home
      )
    case 20: return (#""do":"update_meal","meal":"\#(key(9))","title":"\#(mark)""#, .home)
    case 21: return (#""do":"add_grocery_item","key":"\#(key(10))","name":"\#(mark)""#, .home)
    case 22: return (#""do":"update_grocery_item","item":"\#(key(10))","note":"\#(mark)""#, .home)
    case 23: return (#""do":"check_grocery_item","item":"\#(key(10))""#, .home)
    case 24: return (#""do":"add_pantry_staple","key":"\#(key(11))","name":"\#(mark)""#, .home)
    case 25:
      return (
        #""do":"create_calendar_event","key":"\#(key(12))","title":"\#(mark)","#
          + #""start_time":"2026-02-24T10:00:00Z","end_time":"2026-02-24T11:00:00Z""#, .home
      )
    case 26: return (#""do":"update_hive","p_hive_id":"\#(hive)","name":"\#(mark)""#, .hive)
    case 27: return (#""do":"join_hive_with_code","p_code":"0123456789ab""#, .hive)
    case 28: return (#""do":"leave_hive","p_hive_id":"\#(hive)""#, .hive)
    default: return (#""do":"log_hive_today","p_hive_id":"\#(hive)""#, .hive)
    }
  }

  /// A history, with the members of each place after each step.
  private struct World {
    let book: Book
    let clock = HandClock(InformationFlowTests.start)
    var written: [(actor: Int, place: Place)] = []
    /// The recorded lines, with their actors.
    var lines: [(actor: Int, line: String)] = []
    /// After each step the members of the household and of the hive; and everyone who was ever a member by then.
    var present: [[Place: Set<Int>]] = []
    var past: [[Place: Set<Int>]] = []
    /// After each step the accounts that are not erased.
    var living: [Set<Int>] = []

    init() throws {
      book = try Book(at: "book", storage: MemoryStorage(), clock: clock.bookClock)
      let (home, hive) = (InformationFlowTests.home, InformationFlowTests.hive)
      for (place, key) in people.enumerated() {
        try apply(place, #""do":"create_account","key":"\#(key)","timezone":"UTC""#, .profile)
      }
      try apply(0, #""do":"create_household","key":"\#(home)","name":"Home""#, .home)
      for key in people.dropFirst() {
        try apply(0, #""do":"add_household_member","member":"\#(key)""#, .home)
      }
      try apply(0, #""do":"create_hive","key":"\#(hive)","name":"Hive""#, .hive)
      try apply(
        0, #""do":"create_hive_invite","p_hive_id":"\#(hive)","code":"0123456789ab""#, .hive)
      try apply(1, #""do":"join_hive_with_code","p_code":"0123456789ab""#, .hive)
    }

    mutating func apply(_ actor: Int, _ fields: String, _ place: Place) throws {
      clock.instant = clock.instant.advanced(byMilliseconds: 60_000)
      let id = Menu.key(13, written.count)
      let who = fields.contains("create_account") ? "" : #","as":"\#(people[actor])""#
      let line = #"{\#(fields)\#(who),"id":"\#(id)"}"#
      written.append((actor, place))
      let position = book.read { $0.position }
      _ = try book.record(line: line)
      // A command that changed nothing does not use up its id, and may change something when it is sent again.
      if book.read({ $0.position }) > position { lines.append((actor, line)) }
      note()
    }

    mutating func erase(_ actor: Int) throws {
      clock.instant = clock.instant.advanced(byMilliseconds: 60_000)
      guard let number = book.read({ $0.accounts.number(of: people[actor]) }) else { return }
      try book.erase(number)
      written.append((actor, .own))
      note()
    }

    private mutating func note() {
      let state = book.read { $0 }
      var (home, hive, alive): (Set<Int>, Set<Int>, Set<Int>) = ([], [], [])
      for (place, key) in people.enumerated() {
        guard let number = state.accounts.number(of: key) else { continue }
        if state.accounts[number]?.isErased == false { alive.insert(place) }
        if !state.households(of: number).isEmpty { home.insert(place) }
        if !state.hives(of: number).isEmpty { hive.insert(place) }
      }
      let former = past.last ?? [:]
      past.append([
        .home: home.union(former[.home] ?? []), .hive: hive.union(former[.hive] ?? []),
      ])
      present.append([.home: home, .hive: hive])
      living.append(alive)
    }

    /// Whether an account may know in the end what a step wrote.
    func mayKnow(_ viewer: Int, _ step: Int) -> Bool {
      let (writer, place) = written[step]
      // An account's own words exist until it is erased, but a hive's name stays the hive's.
      if writer == viewer, living.last?.contains(viewer) == true { return true }
      return present.indices[step...].contains { moment in
        switch place {
        case .own: false
        case .home, .hive: present[moment][place]?.contains(viewer) == true
        case .profile:
          // A present member sees the names of earlier members, too.
          [.home, .hive].contains { (place: Place) in
            present[moment][place]?.contains(viewer) == true
              && past[moment][place]?.contains(writer) == true
          }
        }
      }
    }

    /// Searches an answer to an account.
    func check(_ told: String, to viewer: Int, _ what: String) throws {
      for part in told.split(separator: "§") {
        guard let step = Int(part), written.indices.contains(step) else { continue }
        try expect(
          mayKnow(viewer, step), "\(what) tells \(viewer) what step \(step) wrote: \(told)")
      }
    }
  }

  private static func play(_ steps: [Step], erasing: Int?) throws -> World {
    var world = try World()
    for step in steps {
      let (fields, place) = fields(step, "§\(world.written.count)§")
      try world.apply(step.actor, fields, place)
    }
    if let erasing { try world.erase(erasing) }
    // The remaining members go on writing.
    for action in [7, 14, 18, 20, 22, 26, 0] {
      for actor in 0..<3 {
        let step = Step(actor: actor, action: action, number: actor)
        let (fields, place) = fields(step, "§\(world.written.count)§")
        try world.apply(actor, fields, place)
      }
    }
    return world
  }

  @Test func `no repeated command reveals what was written after its author left (MC-11, HH-26)`() {
    let worlds = Generator.zip(Self.steps, Generator<Int>.integer(in: 0...5))
    let report = check("receipts", worlds, cases: 7) { input, statistics in
      let (steps, erasing) = input
      let world = try Self.play(steps, erasing: erasing < 3 ? erasing : nil)
      let position = world.book.read { $0.position }
      var codes: Set<String> = []
      for (actor, line) in world.lines {
        let outcome = try world.book.record(line: line)
        try world.check(outcome.json.encoded, to: actor, line)
        if outcome.json["position"] != nil, let code = outcome.json["error"]?["code"]?.text {
          codes.insert(code)
        }
      }
      try expectEqual(world.book.read { $0.position }, position, "nothing is recorded twice")
      statistics.cover("told no more", atLeast: 30, !codes.isEmpty)
      statistics.cover(
        "somebody left", atLeast: 30, world.present.last?[.home]?.count != 3)
    }
    #expect(report.passed, "\(report)")
  }

  @Test func `no question reveals what was written after its asker left (MC-11, HH-16)`() {
    let worlds = Generator.zip(
      Self.steps, Generator<Int>.integer(in: 0...5),
      Generator<Int>.integer(in: 0...40).array(count: 1...2))
    let report = check("questions", worlds, cases: 10) { steps, erasing, minutes in
      let world = try Self.play(steps, erasing: erasing < 3 ? erasing : nil)
      let now = world.book.view()
      let pasts = try minutes.map { minute in
        try world.book.view(
          asOf: Self.start.advanced(byMilliseconds: Int64(minute) * 60_000), on: nil)
      }
      for view in [now] + pasts {
        for (place, key) in Self.people.enumerated() {
          guard let viewer = now.state.accounts.number(of: key) else { continue }
          try world.check(Self.told(viewer, view), to: place, "as of \(view.query.asOf)")
        }
      }
    }
    #expect(report.passed, "\(report)")
  }

  /// Everything that an account sees of a view: the feed, its awards, hives and households.
  private static func told(_ viewer: Account.ID, _ view: BookView) throws -> String {
    let state = view.state
    var told = ""
    guard state.viewer(viewer) != nil else { return told }
    if state.accounts[viewer] != nil {
      told += "\(try view.feed(of: viewer, limit: .max).json.encoded)"
      told += "\(try view.awards(of: viewer).map { $0.json(of: viewer, in: state).encoded })"
      for hive in state.hives(of: viewer) {
        if let seen = try? state.hive(hive, seenBy: viewer) { told += state.hiveRow(seen).encoded }
        if let audit = try? view.audit(of: hive, for: viewer) {
          told += audit.json(in: state).encoded
        }
      }
    }
    for household in state.households(of: viewer) {
      guard let found = state.household(household, for: viewer) else { continue }
      told += state.householdRow(found).encoded
      told += "\(state.memberRows(found).map(\.encoded))"
      told += "\(try view.history(of: household, for: viewer))"
      told += "\(state.householdEntities(.recipe, in: state.recipes, of: household))"
      told += "\(state.householdEntities(.householdTask, in: state.householdTasks, of: household))"
      told += "\(state.householdEntities(.list, in: state.lists, of: household))"
    }
    return told
  }
}
