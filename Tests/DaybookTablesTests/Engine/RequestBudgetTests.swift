import HTTPTypes
import Testing
import Wire

@testable import DaybookTables

/// The cost of a read is limited, so that nobody blocks the others.
@Suite(.tags(.unit)) struct RequestBudgetTests {
  private func garden(of count: Int, brief: Int = 5000, long: Int = 1_000_000) throws -> Garden {
    var garden = try Garden(plants: (0..<count).map { Garden.plant(Int64($0)) })
    garden.service.allowances.brief = .init(steps: brief, values: 100_000)
    garden.service.allowances.long = .init(steps: long, values: 100_000)
    return garden
  }

  /// The number of steps that answer a query.
  private func steps(_ query: String, rows count: Int) async throws -> Int {
    var (low, high) = (0, 100_000_000)
    while low + 1 < high {
      let middle = (low + high) / 2
      let answer = try await garden(of: count, brief: middle, long: 0).ask(.get, "plants?\(query)")
      if answer.status == .ok { high = middle } else { low = middle }
    }
    return high
  }

  @Test func `a request that needs more than one turn is answered`() async throws {
    let garden = try garden(of: 1000)
    #expect(await garden.numbers("number=gte.998") == [998, 999])
    #expect(await garden.numbers("order=number.desc&limit=2") == [999, 998])
  }

  /// Conditions that check each row against many values, and orders in which all rows are equal.
  private static let heavy: [String: String] = [
    "patterns": "or=(\(many("name.ilike.*x*", 300)))",
    "patterns of any": "name=like(any).%7B\(many("%25y", 300))%7D",
    "orders": "order=\((0..<300).map { "data-%3E%3Enone\($0)" }.joined(separator: ","))",
    "JSON": "or=(\(many("data.cs.%7B%22a%22:[1,2,3]%7D", 300)))",
    "numbers": "or=(\(many("height.in.(1.25,2.25,3.25)", 100)))",
    "arrays": "tags=ov.%7B\(many("y", 1000))%7D",
  ]

  private static func many(_ text: String, _ count: Int) -> String {
    Array(repeating: text, count: count).joined(separator: ",")
  }

  @Test(arguments: heavy.keys.sorted())
  func `a request beyond the budget is refused`(kind: String) async throws {
    let query = try #require(Self.heavy[kind])
    let garden = try garden(of: 1000)
    #expect(await garden.ask(.get, "plants?\(query)").refusal == "413 54001")
    #expect(await garden.ask(.head, "plants?\(query)").status == .contentTooLarge)
    #expect(await garden.numbers("number=lt.2") == [0, 1], "nothing of the request remains")
  }

  @Test func `no more values are kept than the limit`() async throws {
    var garden = try garden(of: 1000)
    garden.service.allowances.long = .init(steps: 10_000_000, values: 1000)
    #expect(await garden.ask(.get, "plants").refusal == "413 54001")
    // Only a page of many rows is kept, in any order.
    #expect(await garden.numbers("limit=2&offset=3") == [3, 4])
    let counted = await garden.ask(.get, "plants?select=number&limit=1", prefer: "count=exact")
    #expect(counted.headers[.contentRange] == "0-0/1000")
    #expect(await garden.get("plants?select=count()") == #"[{"count":1000}]"#)
  }

  @Test(arguments: [
    "number=gte.0", "name=ilike.*s*", "order=name.desc,number", "tags=cs.%7Bred%7D",
    "select=number,beds(place)", "data-%3E%3Esize=eq.1",
  ])
  func `a read costs as much as there are rows`(query: String) async throws {
    let (few, many) = (
      try await steps("\(query)&limit=10", rows: 100),
      try await steps("\(query)&limit=10", rows: 1000)
    )
    #expect(many <= 16 * few, "\(few), then \(many)")
  }

  @Test func `a cancelled request is answered as given up`() async throws {
    let garden = try garden(of: 1000)
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return await garden.ask(.get, "plants?name=ilike.*s*").refusal
    }
    #expect(await task.value == "408 57014")
  }

  @Test func `a cancelled request is stopped`() {
    var isWanted = true
    let budget = RequestBudget(.read) { isWanted }
    budget.spend(1_000_000)
    #expect(!budget.isSpent)
    isWanted = false
    budget.spend(1_000_000)
    #expect(budget.isSpent)
    #expect(throws: RequestBudget.Spent.self) { try budget.check() }
  }

  @Test func `no number of steps overflows`() {
    let budget = RequestBudget(.brief)
    budget.spend(.max)
    budget.spend(.max)
    #expect(budget.isSpent)
  }

  @Test func `a page out of many rows matches the whole order`()
    async throws
  {
    let garden = try Garden(plants: (0..<5000).map { Garden.plant(Int64($0)) })
    // 2500 trees, whose numbers are even, before 2500 herbs.
    for (page, expected) in [
      ("order=number.desc&limit=3", [4999, 4998, 4997]),
      ("order=kind,number.desc&limit=3&offset=2498", [2, 0, 4999]),
      ("order=is_even.desc&limit=2&offset=1200", [2400, 2402]),
      ("order=kind.desc,number&limit=2&offset=4999", [4998]),
    ] as [(String, [Int])] {
      #expect(await garden.numbers(page) == expected, "\(page)")
    }
  }

  @Test func `repeated empty embeddings are read, and too many embeddings refused`() async throws {
    let garden = try garden(of: 10)
    let none = String(repeating: "beds(),", count: 1000)
    #expect(await garden.get("plants?select=\(none)number&limit=1") == #"[{"number":0}]"#)
    let aliases = (0...PlanBuilder.mostEmbeds).map { "a\($0):beds(id)" }.joined(separator: ",")
    #expect(await garden.ask(.get, "plants?select=\(aliases)").refusal == "400 54000")
  }
}
