import Avro
import Daybook
package import DaybookStore
import Journal

/// A book in memory with a number of entities of every kind, all of one person and one household.
/// It serves to measure what commands cost when a book grows, without waiting for a disk.
package struct GrowthBook: Sendable {
  /// The fewest entities of a kind with which all commands can be tried.
  package static let smallestCount = 200
  /// The number of commands in a commit while the book is made.
  private static let commitCount = 8192

  package let book: Book
  /// How many entities of each kind there are.
  package let count: Int
  private let clock = GrowthClock()

  /// The kinds of entities, for their keys.
  enum Thing: UInt64 {
    case account = 1
    case habit, goal, hive, household, householdTask, recipe, meal, pantryStaple, item, event, task,
      label
    /// Something that a command creates.
    case fresh
  }

  /// The key of an entity, from 0. The first account is the person. The first household is the
  /// person's; the second is its larder.
  static func key(_ thing: Thing, _ index: Int) -> Key {
    Key(high: 0x6077_0000_0000_4000 | thing.rawValue << 32, low: 1 << 63 | UInt64(index))
  }

  /// The hash of a made-up phone number.
  static func hash(_ index: Int) -> IdentityHash {
    IdentityHash(padding: (0..<8).map { UInt8(truncatingIfNeeded: index >> (56 - 8 * $0)) })
  }

  /// The code of a made-up invite.
  static func code(_ index: Int) -> String {
    let digits = String(index, radix: 16)
    return String(repeating: "0", count: 12 - digits.count) + digits
  }

  /// The day on which the book is made; its week has a grocery list.
  static let today = Day(clampingNumber: 20_454)

  /// Makes a book.
  ///
  /// - Parameter count: How many entities of each kind; at least ``smallestCount``.
  /// - Throws: ``Rejection`` when the book refuses its own commands, or ``JournalError``.
  package init(of count: Int) throws {
    self.count = max(count, Self.smallestCount)
    let storage = MemoryStorage()
    let clock = self.clock
    let system = BookClock(now: { clock.now() }, freshKey: BookClock.system.freshKey)
    try Book.create(at: "growth", storage: storage, clock: system)
    book = try Book(
      opening: BookReader(at: "growth", storage: storage), clock: system, sealing: .onRequest,
      snapshots: SnapshotSpacing(smallestGap: .max, share: 1))
    var maker = Maker()
    var made = 0
    while made < self.count {
      let end = min(made + Self.commitCount / 16, self.count)
      try book.transaction { batch in
        for index in made..<end { try maker.make(index, &batch) }
      }
      made = end
    }
    try book.seal()
    clock.goFaster()
  }

  /// The cost of a command on some books.
  package struct Cost: Sendable {
    /// Its name.
    package var command: String
    /// The median time on each book.
    package var nanoseconds: [Double]
  }

  /// Carries out each command several times on each of some books, alternating between the books,
  /// and returns the costs.
  ///
  /// - Parameters:
  ///   - books: The books.
  ///   - times: How often; up to 40.
  ///   - measure: Carries out a command on a book, and returns its cost.
  /// - Returns: For each command and book, the cost of each time.
  /// - Throws: ``RefusedCommand`` when a command is refused, or what `measure` throws.
  package static func costs<Cost>(
    of books: [GrowthBook], times: Int,
    _ measure: (Book, _ command: () throws -> RequestOutcome) throws -> (RequestOutcome, Cost)
  ) throws -> [(command: String, costs: [[Cost]])] {
    var costs: [(command: String, costs: [[Cost]])] = []
    var positions = Array(repeating: [JSON](), count: books.count)
    for step in GrowthCommands.steps {
      var own = Array(repeating: [Cost](), count: books.count)
      var made = positions.map { _ in [JSON]() }
      for time in 0..<times {
        for (place, growth) in books.enumerated() {
          var step = step
          if ["undo_task", "undo"].contains(step.name) {
            // Undoes what the command before it did.
            let position = positions[place][time]
            step.fields = { _ in [("position", position)] }
          }
          let line = GrowthCommands.line(step, time)
          let (outcome, cost) = try measure(growth.book) { try growth.book.record(line: line) }
          guard outcome.isAccepted else { throw RefusedCommand(line: line, outcome: outcome.json) }
          own[place].append(cost)
          made[place].append(outcome.json["position"] ?? .null)
        }
      }
      positions = made
      if step.isMeasured { costs.append((step.name, own)) }
    }
    return costs
  }

  /// Carries out each command several times on each of some books, and returns the median times. If
  /// the machine is faster at times, that affects all books alike.
  ///
  /// - Throws: ``RefusedCommand`` or ``JournalError``.
  package static func costs(of books: [GrowthBook], times: Int = 31) throws -> [Cost] {
    let clock = ContinuousClock()
    return try costs(of: books, times: times) { _, command in
      let start = clock.now
      let outcome = try command()
      return (outcome, start.duration(to: clock.now))
    }.map { name, costs in
      Cost(
        command: name,
        nanoseconds: costs.map { times in times.sorted()[times.count / 2] / .nanoseconds(1) })
    }
  }

  /// Creates the entities of each kind in turn.
  private struct Maker {
    var person: Account.ID?
    var hive: Hive.ID?
    var home: Household.ID?
    var larder: Household.ID?

    mutating func make(_ index: Int, _ batch: inout Batch) throws {
      let name = "Thing \(index)"
      let account = try batch.record(
        CreateAccount(key: key(.account, index), name: name, timeZone: "UTC"))
      let person = person ?? account
      self.person = person
      try batch.record(LinkIdentity(Identity(.phone, hash(index)), isVerified: true), by: account)
      let habit = try batch.record(CreateHabit(key: key(.habit, index), name: name), by: person)
      try batch.record(LogHabit(habit), by: person)
      try batch.record(CreateGoal(key: key(.goal, index), title: name), by: person)
      let hive = try batch.record(CreateHive(key: key(.hive, index), name: name), by: person)
      self.hive = self.hive ?? hive
      try batch.record(CreateHiveInvite(self.hive ?? hive, code: code(index)), by: person)
      let household = try batch.record(
        CreateHousehold(key: key(.household, index), name: name), by: person)
      let home = home ?? household
      if self.home != nil { larder = larder ?? household }
      self.home = home
      try batch.record(
        CreateHouseholdTask(
          in: home, key: key(.householdTask, index), HouseholdTaskContent(title: name)), by: person)
      try batch.record(
        CreateRecipe(in: home, key: key(.recipe, index), RecipeContent(title: name)), by: person)
      // Two meals a day, starting in the week after the list's.
      let date = today.advanced(by: 7 + index / 2 % 1_000_000)
      try batch.record(
        PlanMeal(in: home, key: key(.meal, index), MealContent(title: name, date: date)),
        by: person)
      if let larder {
        try batch.record(
          AddPantryStaple(
            in: larder, key: key(.pantryStaple, index), PantryStapleContent(name: name)), by: person
        )
      }
      try batch.record(
        AddGroceryItem(
          in: home, week: today, key: key(.item, index), GroceryItemContent(name: name)),
        by: person)
      try batch.record(
        CreateCalendarEvent(
          in: home, key: key(.event, index), title: name,
          start: .day(today.advanced(by: index % 1000))), by: person)
      try batch.record(CreateTask(key: key(.task, index), title: name), by: person)
      try batch.record(CreateLabel(key: key(.label, index), name: name), by: person)
    }

    private func key(_ thing: Thing, _ index: Int) -> Key { GrowthBook.key(thing, index) }
    private func hash(_ index: Int) -> IdentityHash { GrowthBook.hash(index) }
    private func code(_ index: Int) -> String { GrowthBook.code(index) }
    private var today: Day { GrowthBook.today }
  }
}

/// A command of a measurement that the book refused.
package struct RefusedCommand: Error, CustomStringConvertible {
  let line: String
  let outcome: JSON

  /// The command and its outcome.
  package var description: String { "\(line): \(outcome.encoded)" }
}
