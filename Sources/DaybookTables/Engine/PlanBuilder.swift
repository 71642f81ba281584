import Calendar
import HTTPTypes

/// Makes plans for queries.
struct PlanBuilder {
  /// The most tables that a request may embed; the rows of each are read and kept.
  static let mostEmbeds = 100

  let schema: TableSchema
  private var query: TableQuery
  /// The instant of the query, for literals such as "now".
  private let now: Instant?
  /// Whether the query selects rows to write. Such rows are found by their own values, not by embedded ones.
  private let isWrite: Bool
  private var used: Set<[String]> = [[]]
  private var embedCount = 0

  /// Plans a query of a table.
  ///
  /// - Parameters:
  ///   - query: The query.
  ///   - table: The table that it reads.
  ///   - schema: The tables that it may embed.
  ///   - now: The instant of the query, for literals such as "now".
  ///   - isWrite: Whether the query selects rows to write.
  /// - Returns: The plan, which finds the rows and shows their members.
  /// - Throws: ``TableError``: `42703`, `PGRST200` and `PGRST201` for names, `PGRST108` for a condition on a table
  ///   that is not embedded, `22P02` and the like for literals.
  static func plan(
    _ query: TableQuery, of table: AppTable, in schema: TableSchema, at now: Instant? = nil,
    isWrite: Bool = false
  ) throws(TableError) -> ReadPlan {
    var builder = PlanBuilder(schema: schema, query: query, now: now, isWrite: isWrite)
    let plan = try builder.plan(table, query.select, at: [])
    if let unused = builder.query.shapes.keys.first(where: { !builder.used.contains($0) }) {
      throw .notEmbedded(unused.joined(separator: "."))
    }
    return plan
  }

  private init(schema: TableSchema, query: TableQuery, now: Instant?, isWrite: Bool) {
    self.schema = schema
    self.query = query
    self.now = now
    self.isWrite = isWrite
  }

  private mutating func plan(
    _ table: AppTable, _ items: [SelectItem], at path: [String]
  ) throws(TableError) -> ReadPlan {
    var plan = ReadPlan(of: table)
    let embeds = items.compactMap { item in if case .embed(let embed) = item { embed } else { nil }
    }
    nameShapes(of: embeds, at: path)
    var shape = query.shapes[path] ?? TableQuery.Shape()
    used.insert(path)
    let findsRowsToWrite = isWrite && path.isEmpty
    let presences = findsRowsToWrite ? [:] : shape.takePresences(of: embeds, in: table)
    let (asking, asked) =
      findsRowsToWrite ? ([], []) : shape.takeConditions(askingOf: embeds, in: table)
    if findsRowsToWrite, let name = shape.order.lazy.compactMap(\.embed).first {
      throw .notEmbedded(name)
    }
    plan.predicates = try PredicateBuilder(table: table, now: now).predicates(shape.conditions)
    plan.bounds = ScanBounds(plan.predicates)
    plan.limit = shape.limit
    plan.offset = shape.offset
    for item in items {
      guard case .embed(let item) = item else {
        try add(item, to: &plan)
        continue
      }
      let terms = shape.order.filter { $0.embed.map { item.isCalled($0) } ?? false }
      try add(
        item, to: &plan, at: path, presences[item.name] ?? .any,
        isAsked: asked.contains(item.name), orderedBy: terms)
    }
    plan.embedPredicates = try PredicateBuilder(table: table, now: now, embeds: plan.embedNames)
      .predicates(asking)
    // Only the first term of a column has any effect.
    var ordered: Set<OrderTerm> = []
    for term in shape.order
    where ordered.insert(OrderTerm(embed: term.embed, column: term.column)).inserted {
      plan.order.append(try order(term, of: plan))
    }
    plan.notePlaces()
    plan.makeSlots()
    if plan.counts,
      plan.members.contains(where: { if case .count = $0.content { false } else { true } })
    {
      throw TableError(
        .badRequest, "PGRST100", "\"failed to parse select parameter\"",
        details: "rows are counted, or shown, and not both")
    }
    return plan
  }

  /// Renames the query's parts for embedded tables to the names in the answer; a query may use the alias or the
  /// table's name.
  private mutating func nameShapes(of embeds: [EmbedItem], at path: [String]) {
    for (key, shape) in query.shapes where key.count > path.count && key.starts(with: path) {
      let name = key[path.count]
      guard let item = embeds.first(where: { $0.isCalled(name) }), item.name != name else {
        continue
      }
      var named = key
      named[path.count] = item.name
      query.shapes[key] = nil
      query.shapes[named, default: TableQuery.Shape()].add(shape)
    }
  }

  private func order(
    _ term: OrderTerm, of plan: ReadPlan
  ) throws(TableError) -> ReadPlan.Order {
    var (table, place) = (plan.table, Int?.none)
    if let name = term.embed {
      guard let found = plan.embedNames.firstIndex(where: { $0.isCalled(name) }) else {
        throw .notEmbedded(name)
      }
      guard plan.embeds[found].relation.isSingle else {
        throw TableError(
          .badRequest, "PGRST118", "A related order on '\(name)' is not possible",
          details:
            "'\(table.name)' and '\(name)' do not form a many-to-one or one-to-one relationship")
      }
      (table, place) = (plan.embeds[found].plan.table, found)
    }
    return ReadPlan.Order(
      embed: place, operand: try Operand(term.column, of: table),
      isDescending: term.isDescending, nullsFirst: term.nullsFirst ?? term.isDescending)
  }

  private func add(
    _ item: SelectItem, to plan: inout ReadPlan
  ) throws(TableError) {
    switch item {
    case .all:
      for (index, column) in plan.table.columns.enumerated() {
        plan.show(column.name, .column(index))
      }
    case .count(let alias): plan.show(alias ?? "count", .count)
    case .column(let column, let alias, let cast):
      if column.name == "count", column.steps.isEmpty, plan.table.place(of: "count") == nil {
        plan.show(alias ?? "count", .count)
        return
      }
      let operand = try Operand(column, of: plan.table)
      plan.show(alias ?? column.outputName, try Self.content(operand, cast))
    case .embed: break
    }
  }

  private static func content(
    _ operand: Operand, _ cast: String?
  ) throws(TableError) -> ReadPlan.Content {
    switch cast {
    case nil: operand.path.steps.isEmpty ? .column(operand.index) : .value(operand)
    case "text", "varchar", "character varying": .text(operand)
    case .some(let cast):
      throw TableError(.badRequest, "42704", "type \"\(cast)\" does not exist")
    }
  }

  private mutating func add(
    _ item: EmbedItem, to plan: inout ReadPlan, at path: [String], _ presence: ReadPlan.Presence,
    isAsked: Bool, orderedBy terms: [OrderTerm]
  ) throws(TableError) {
    let relation = try ForeignRelation.find(item, from: plan.table, in: schema)
    guard let other = schema.table(relation.table),
      let columns = plan.table.places(of: relation.columns),
      let otherColumns = other.places(of: relation.otherColumns)
    else { throw .failure }
    var junction: (table: AppTable, own: [Int], other: [Int])?
    if let pairs = relation.junction {
      guard let table = schema.table(pairs.table), let own = table.places(of: pairs.own),
        let others = table.places(of: pairs.other)
      else { throw .failure }
      junction = (table, own, others)
    }
    var embedded = try self.plan(other, item.items, at: path + [item.name])
    embedded.places.formUnion(otherColumns)
    for term in terms { embedded.places.insert(try Operand(term.column, of: other).index) }
    let presence = item.isInner && presence == .any ? .some : presence
    // An embed that is neither shown nor tested is not read.
    guard presence != .any || isAsked || !item.items.isEmpty || !terms.isEmpty else { return }
    // A row cannot both have and lack an embedded row.
    if item.isInner, presence == .none { plan.predicates.append(.any([])) }
    guard embedCount < Self.mostEmbeds else {
      throw TableError(
        .badRequest, "54000", "a request embeds \(Self.mostEmbeds) tables at most")
    }
    embedCount += 1
    let embed = ReadPlan.Embed(
      relation, embedded, presence: presence, isAsked: isAsked, columns: columns,
      otherColumns: otherColumns, junction: junction)
    plan.embeds.append(embed)
    plan.embedNames.append(item)
    if !item.items.isEmpty { plan.show(item.name, .embed(plan.embeds.count - 1)) }
  }
}

extension EmbedItem {
  /// Whether a query means this embed by a name.
  fileprivate func isCalled(_ name: String) -> Bool { self.name == name || target == name }
}

extension TableQuery.Shape {
  /// Takes out the conditions on whether anything is embedded: `hive_members=is.null`.
  ///
  /// - Returns: The required presence by the embed's name.
  fileprivate mutating func takePresences(
    of embeds: [EmbedItem], in table: AppTable
  ) -> [String: ReadPlan.Presence] {
    guard !embeds.isEmpty else { return [:] }
    var presences: [String: ReadPlan.Presence] = [:]
    var isContradictory = false
    conditions.removeAll { condition in
      guard let (place, isThere) = condition.presence(of: embeds, in: table) else { return false }
      let presence: ReadPlan.Presence = isThere ? .some : .none
      if let other = presences.updateValue(presence, forKey: embeds[place].name),
        other != presence
      {
        isContradictory = true
      }
      return true
    }
    if isContradictory { conditions.append(.any([])) }
    return presences
  }

  /// Takes out the conditions that test, among others, whether anything is embedded:
  /// `or=(hive_members.is.null,name.eq.Bees)`.
  ///
  /// - Returns: These conditions, and the names of the embeds that they test.
  fileprivate mutating func takeConditions(
    askingOf embeds: [EmbedItem], in table: AppTable
  ) -> ([Condition], Set<String>) {
    guard !embeds.isEmpty else { return ([], []) }
    var (asking, names): ([Condition], Set<String>) = ([], [])
    conditions.removeAll { condition in
      let asked = condition.presences(of: embeds, in: table)
      guard !asked.isEmpty else { return false }
      asking.append(condition)
      names.formUnion(asked)
      return true
    }
    return (asking, names)
  }
}

extension Condition {
  /// The embed that the condition tests, by its place, and whether it must be present; `nil` for any other
  /// condition.
  func presence(of embeds: [EmbedItem], in table: AppTable) -> (place: Int, isThere: Bool)? {
    guard let (name, isThere) = presence, table.place(of: name) == nil,
      let place = embeds.firstIndex(where: { $0.isCalled(name) })
    else { return nil }
    return (place, isThere)
  }

  /// The names of all embeds that the condition tests anywhere.
  fileprivate func presences(of embeds: [EmbedItem], in table: AppTable) -> Set<String> {
    switch self {
    case .not(let condition): condition.presences(of: embeds, in: table)
    case .all(let conditions), .any(let conditions):
      conditions.reduce(into: []) { $0.formUnion($1.presences(of: embeds, in: table)) }
    case .comparison: presence(of: embeds, in: table).map { [embeds[$0.place].name] } ?? []
    }
  }

  /// The name that the condition tests for NULL, and whether it must not be NULL; `nil` for any other condition.
  fileprivate var presence: (name: String, isThere: Bool)? {
    switch self {
    case .not(let condition): condition.presence.map { ($0.name, !$0.isThere) }
    case .comparison(let column, let comparison)
    where column.steps.isEmpty && comparison.comparing == .state:
      switch comparison.state {
      case .null: (column.name, false)
      case .notNull: (column.name, true)
      case .true, .false, .unknown: nil
      }
    default: nil
    }
  }
}

extension TableError {
  /// A condition names a table that is not embedded.
  fileprivate static func notEmbedded(_ name: String) -> TableError {
    TableError(
      .badRequest, "PGRST108", "'\(name)' is not an embedded resource in this request",
      hint: "Verify that '\(name)' is included in the 'select' query parameter.")
  }
}
