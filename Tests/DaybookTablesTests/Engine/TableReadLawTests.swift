import Avro
import Calendar
import Daybook
import DaybookStore
import HTTPTypes
import PropertyTesting
import Testing
import Values
import Wire

@testable import DaybookTables

/// Filters, order and pages, against a naive evaluation.
@Suite(.tags(.law)) struct TableReadLawTests {
  /// A condition as text, and whether a plant satisfies it: unknown where NULL is compared.
  private struct Case: CustomStringConvertible {
    var text: String
    var holds: @Sendable (Int) -> Bool?
    var description: String { text }
  }

  /// The name of a plant; one in five has none.
  private static func name(_ number: Int) -> String? {
    number % 5 == 1 ? nil : ["ash", "Beech", "b,c", "q\"t", "(p)"][number % 5]
  }

  private static let comparison = Generator<Case> { source in
    let column = try source.draw(.integer(in: 0...3))
    let operation = try source.draw(
      Generator<String>.element(of: ["eq", "neq", "gt", "gte", "lt", "lte"]))
    let isNegated = try source.draw(Generator<Bool>.bool())
    let value = try source.draw(Generator<Int>.integer(in: 0...30))
    @Sendable func compare(_ order: Int) -> Bool {
      switch operation {
      case "eq": order == 0
      case "neq": order != 0
      case "gt": order > 0
      case "gte": order >= 0
      case "lt": order < 0
      default: order <= 0
      }
    }
    let compared: @Sendable (Int) -> Bool?
    let literal: String
    switch column {
    case 0:
      literal = "number.\(isNegated ? "not." : "")\(operation).\(value)"
      compared = { number in compare((number - value).signum()) }
    case 1:
      let text = Self.name(value) ?? "zebra"
      let quoted = text.replacing("\"", with: "\\\"")
      literal = "name.\(isNegated ? "not." : "")\(operation).\"\(quoted)\""
      compared = { number in
        Self.name(number).map { name in
          let (left, right) = (Array(name.unicodeScalars), Array(text.unicodeScalars))
          return compare(
            left == right
              ? 0 : left.lexicographicallyPrecedes(right) { $0.value < $1.value } ? -1 : 1)
        }
      }
    case 2:
      literal = "is_even.\(isNegated ? "not." : "")is.true"
      compared = { $0 % 2 == 0 }
    default:
      // One in three is in no bed.
      literal = "beds.\(isNegated ? "not." : "")is.null"
      compared = { $0 % 3 == 2 }
    }
    return Case(text: literal) { number in compared(number).map { $0 != isNegated } }
  }

  private static func conditions(_ depth: Int) -> Generator<Case> {
    guard depth > 0 else { return comparison }
    return Generator<Case> { source in
      guard try source.draw(Generator<Bool>.bool()) else { return try source.draw(comparison) }
      let parts = try source.draw(conditions(depth - 1).array(count: 1...3))
      let isAny = try source.draw(Generator<Bool>.bool())
      let isNegated = try source.draw(Generator<Bool>.bool())
      let text =
        "\(isNegated ? "not." : "")\(isAny ? "or" : "and")(\(parts.map(\.text).joined(separator: ",")))"
      return Case(text: text) { number in
        let truths = parts.map { $0.holds(number) }
        let joined: Bool? =
          truths.contains(isAny) ? isAny : truths.contains(nil) ? nil : !isAny
        return joined.map { $0 != isNegated }
      }
    }
  }

  @Test func `filters, order and pages match a naive evaluation`() throws {
    let rows = (0..<40).map { Garden.plant($0) }
    let garden = try Garden(plants: rows)
    let table = try #require(garden.schema.table("plants"))
    let viewer = try #require(garden.book.read { $0.accounts.number(of: Garden.ada) })
    let view = AccountView(
      garden.book.read { $0 }, viewer, at: .first, garden.book.reader, EmptyDirectory())
    let requests = Generator.zip(
      Self.conditions(3), Generator<Int>.integer(in: 0...2), Generator<Bool>.bool(),
      Generator<Int>.integer(in: 0...45), Generator<Int>.integer(in: 0...45))
    try check("a page has the rows that hold, in their order", requests, cases: 400) {
      condition, column, isDescending, limit, offset in
      let names = ["number", "name", "is_even"]
      let query = try TableQuery(
        WireQuery([
          .init("select", "*,beds()"), .init("and", "(\(condition.text))"),
          .init("order", names[column] + (isDescending ? ".desc" : "")),
          .init("limit", "\(limit)"), .init("offset", "\(offset)"),
        ]))
      let plan = try PlanBuilder.plan(query, of: table, in: garden.schema)
      let page = PageRange(offset: plan.offset, limit: plan.limit)
      let found = try RowFetcher(view: view, leastRoom: limit % 7).fetch(plan, page: page)
      let expected = (0..<40).filter { condition.holds($0) == true }
      let sorted = expected.sorted { left, right in
        let order = Self.order(left, right, by: column, isDescending)
        return order == 0 ? left < right : order < 0
      }
      let numbers = found.rows.compactMap { row in
        if case .integer(let number) = row.values[1] { Int(number) } else { nil }
      }
      return found.total == expected.count
        && numbers == Array(sorted.dropFirst(offset).prefix(limit))
    }.require()
  }

  private static func order(
    _ left: Int, _ right: Int, by column: Int, _ isDescending: Bool
  ) -> Int {
    func sign<Thing: Comparable>(_ left: Thing, _ right: Thing) -> Int {
      (left < right ? -1 : left == right ? 0 : 1) * (isDescending ? -1 : 1)
    }
    switch column {
    case 0: return sign(left, right)
    case 1:
      switch (name(left), name(right)) {
      case (nil, nil): return 0
      // Last when ascending, first when descending.
      case (nil, _): return isDescending ? -1 : 1
      case (_, nil): return isDescending ? 1 : -1
      case (let one?, let other?):
        let (one, other) = (one.unicodeScalars.map(\.value), other.unicodeScalars.map(\.value))
        if one == other { return 0 }
        return (one.lexicographicallyPrecedes(other) ? -1 : 1) * (isDescending ? -1 : 1)
      }
    default: return sign(1 - left % 2, 1 - right % 2)
    }
  }

  @Test func `a pattern matches like a naive matcher`() throws {
    let texts = Generator<String>.element(of: ["a", "b", "\u{E9}", "\u{1F41D}", "_", "%"])
      .array(count: 0...9).map { $0.joined() }
    let patterns = Generator<String>.element(
      of: ["a", "b", "\u{E9}", "\u{1F41D}", "%", "%", "*", "_", "\\_", "\\%"]
    ).array(count: 0...7).map { $0.joined() }
    try check("the same texts match", Generator.zip(texts, patterns), cases: 2000) {
      text, pattern in
      LikePattern(pattern, ignoringCase: false).matches(text)
        == Self.matches(Array(text.unicodeScalars)[...], Array(pattern.unicodeScalars)[...])
    }.require()
  }

  private static func matches(
    _ text: ArraySlice<Unicode.Scalar>, _ pattern: ArraySlice<Unicode.Scalar>
  ) -> Bool {
    guard let part = pattern.first else { return text.isEmpty }
    let rest = pattern.dropFirst()
    switch part {
    case "%", "*":
      return matches(text, rest) || !text.isEmpty && matches(text.dropFirst(), pattern)
    case "_": return !text.isEmpty && matches(text.dropFirst(), rest)
    case "\\":
      return !text.isEmpty && text.first == rest.first
        && matches(text.dropFirst(), rest.dropFirst())
    default: return text.first == part && matches(text.dropFirst(), rest)
    }
  }

  @Test func `any query is read or refused`() throws {
    let pieces = [
      "a", ".", ",", "(", ")", "\"", "\\", "{", "}", ":", "::", "!", "*", "->", "->>", "eq", "in",
      "not.", "or", "and", "is", "null", "like(any)", "count", "order", "limit", "-1", " ",
      "\u{FFFD}",
      "9999999999999999999", "é", "...",
    ]
    let texts = Generator<String>.element(of: pieces).array(count: 0...30)
      .map { $0.joined() }
    let names = Generator<String>.element(of: ["select", "order", "or", "a", "a.order", "columns"])
    try check("nothing traps", Generator.zip(names, texts, texts), cases: 3000) {
      name, text, other in
      for item in [WireQuery.Item(name, text), WireQuery.Item(text, other)] {
        do { _ = try TableQuery(WireQuery([item])) } catch let error as TableError {
          if !["PGRST100", "PGRST103"].contains(error.code) { return false }
        }
      }
      return true
    }.require()
  }

  @Test func `any request is answered or refused in JSON`() async throws {
    let garden = try Garden()
    let values = Generator<String>.element(of: [
      "eq.1", "not.gte.2026-01-02T03:04:05.6789", "in.(1,\"a\",)", "is.null", "is.true",
      "like.*a_%",
      "cs.{a}", "cs.{\"size\":1}", "cd.[1]", "ov.{red,b}", "eq(any).{1,2}", "isdistinct.x",
      "eq.00000000-0000-0007-0000-000000000002", "lt.1e400", "gt.-0.5", "eq.{}", "ilike.\\", "neq.",
    ])
    let names = Generator<String>.element(of: [
      "id", "number", "name", "is_even", "kind", "height", "seen_at", "sown", "data", "tags",
      "bed_id", "data->size", "data->>log_date", "tags->0", "beds.place", "of.number", "what",
    ])
    let columns = Generator<String>.element(of: [
      "*", "id", "x:name", "data->parts->-1", "number::text", "beds(place)", "pairs!inner(bed)",
      "of:beds!pairs(count)", "beds!inner(place,of:plants(number,beds(*)))", "count()",
    ])
    let bodies = Generator<String>.element(of: [
      "{}", "[]", "{\"id\":1}", "[{\"title\":\"a\"},{\"title\":null}]", "null", "{\"title\":[1]}",
      "[[",
      "{\"title\":\"t\",\"id\":\"00000000-0000-0007-0000-000000000002\"}", "\u{0}",
    ])
    let requests = Generator.zip(
      columns.array(count: 1...3), Generator.zip(names, values).array(count: 0...3),
      names.array(count: 1...2), bodies)
    let methods: [HTTPRequest.Method] = [.get, .post, .patch, .delete, .get]
    var answered = 0
    for (number, request) in try requests.samples(2000, seed: 1).enumerated() {
      let (columns, filters, order, body) = request
      var items = [WireQuery.Item("select", columns.joined(separator: ","))]
      items += filters.map { .init($0.0, $0.1) }
      if number % 2 == 0 { items.append(.init("order", order.joined(separator: ".desc,"))) }
      let path = number % 3 == 0 ? "goals" : "plants"
      let response = await garden.service.answer(
        WireRequest(
          methods[number % 5], [path], query: WireQuery(items),
          headers: number % 7 == 0 ? [.prefer: "return=representation,count=exact"] : [:],
          body: Array(body.utf8)), in: garden.schema, by: .account(Garden.ada))
      #expect(response.status.code < 500, "request \(number): \(items), \(response.text)")
      #expect(response.body.isEmpty || response.json != nil, "request \(number): \(items)")
      if response.status.code < 300 { answered += 1 }
    }
    #expect(answered > 200, "requests are not all refused: \(answered)")
  }
}
