/// Rows that a plan asked for, with what is embedded in them.
struct FetchedRows {
  var rows: [Row] = []
  /// How many there are in all, where they were counted; these are a page of them.
  var total = 0
  /// What each embed of the plan came to.
  var embedded: [EmbeddedRows] = []
}

/// Rows of another table, by the values by which they belong to those that embed them.
struct EmbeddedRows {
  var fetched = FetchedRows()
  /// Places among the rows.
  var groups: [RowKey: [Int]] = [:]

  /// The places of those that belong to a row.
  func places(of row: Row, _ embed: ReadPlan.Embed) -> [Int] {
    row.key(embed.columns).flatMap { groups[$0] } ?? []
  }
}

/// Follows a plan over what one may see; one who is nobody sees nothing.
struct RowFetcher {
  let sight: Sight?
  /// Whether rows are looked for that were written, and none that are worked out of the journal.
  var isOfRecords = false
  /// Whether rows are read for what a plan shows of them alone, so that no other column need be made.
  var isForShow = false
  /// Counts what it costs, where that is up to who asks.
  var budget: RequestBudget?
  /// How many rows are kept at least before those that are not of the page are let go.
  var leastRoom = 1000

  /// Fetches a page of rows, and counts all of them.
  ///
  /// - Parameters:
  ///   - plan: What is asked.
  ///   - page: Which of them; nothing for all.
  ///   - countingAll: Whether all of them must be counted; otherwise the scan may end with the page.
  /// - Returns: The rows of the page.
  /// - Throws: ``TableError``, or what a scan throws.
  func fetch(
    _ plan: ReadPlan, page: PageRange? = nil, countingAll: Bool = true
  ) throws -> FetchedRows {
    // Where it is up to what is embedded in them which rows there are, or how they are ordered, all are looked at.
    let isScanAll =
      plan.embeds.contains { $0.decides } || plan.order.contains { $0.embed != nil }
    let end = isScanAll ? nil : page.flatMap { page in page.limit.map { page.offset + $0 } }
    var (rows, total) = try scan(plan, plan.narrowing, end: end, countingAll: countingAll)
    var embedded = [EmbeddedRows?](repeating: nil, count: plan.embeds.count)
    if isScanAll {
      try leaveOut(from: &rows, plan, &embedded)
      total = rows.count
    }
    try sort(&rows, by: plan, embedded)
    if let page { rows = Array(rows[page.places(of: rows.count)]) }
    var fetched = try fill(rows, plan, embedded)
    fetched.total = total
    return fetched
  }

  /// Fetches what is embedded in rows that are at hand.
  func fill(_ rows: [Row], _ plan: ReadPlan) throws -> FetchedRows {
    try fill(rows, plan, [EmbeddedRows?](repeating: nil, count: plan.embeds.count))
  }

  private func fill(
    _ rows: [Row], _ plan: ReadPlan, _ known: [EmbeddedRows?]
  ) throws -> FetchedRows {
    var fetched = FetchedRows(rows: rows)
    for (embed, known) in zip(plan.embeds, known) {
      fetched.embedded.append(try known ?? self.embedded(embed, in: rows))
    }
    return fetched
  }

  /// Leaves out rows by what is embedded in them, and finds the embedded rows by which the others are ordered.
  ///
  /// A row is left out when it must have something embedded and has nothing, or the other way round. It is also left
  /// out when a condition that combines this test with others does not hold.
  private func leaveOut(
    from rows: inout [Row], _ plan: ReadPlan, _ embedded: inout [EmbeddedRows?]
  ) throws {
    for (index, embed) in plan.embeds.enumerated() where embed.decides {
      let found = try self.embedded(embed, in: rows)
      if embed.presence != .any {
        rows.removeAll { row in
          found.places(of: row, embed).isEmpty == (embed.presence == .some)
        }
      }
      embedded[index] = found
    }
    if !plan.embedPredicates.isEmpty {
      let found = embedded
      rows.removeAll { row in
        !plan.embedPredicates.allSatisfy { predicate in
          predicate.takes(row, budget) { place in
            found[place].map { !$0.places(of: row, plan.embeds[place]).isEmpty } ?? false
          }
        }
      }
      try budget?.check()
    }
    for case let index? in Set(plan.order.map(\.embed)) where embedded[index] == nil {
      embedded[index] = try self.embedded(plan.embeds[index], in: rows)
    }
  }

  /// Ends a scan that has given all that is wanted of it.
  private struct EnoughRows: Error {}

  /// Reads the rows of a plan.
  ///
  /// - Parameters:
  ///   - plan: What is asked.
  ///   - narrowing: What the scan may leave out.
  ///   - end: How many rows are wanted, in the order of the plan; nothing for all.
  ///   - countingAll: Whether all must be counted, also those that are not wanted.
  /// - Returns: The rows that are wanted, and perhaps more; and how many there were.
  /// - Throws: ``RequestBudget/Spent``, or what a scan throws.
  private func scan(
    _ plan: ReadPlan, _ narrowing: Narrowing, end: Int? = nil, countingAll: Bool = true
  ) throws -> (rows: [Row], count: Int) {
    guard let sight, !narrowing.isEmpty, countingAll || end != 0 else { return ([], 0) }
    var narrowing = narrowing
    if isForShow { narrowing.places = plan.places }
    let width = plan.table.columns.count
    // Where the last may come first, rows are let go once there are twice as many as are wanted.
    let isOrdered = !plan.order.isEmpty && end != 0
    let room = end.map { isOrdered ? max(2 * $0, leastRoom) : $0 } ?? .max
    var (rows, count): ([Row], Int) = ([], 0)
    do {
      try plan.table.scan(sight, narrowing) { row in
        budget?.spend(20 + (isForShow ? plan.places.count : width))
        let isTaken = plan.predicates.allSatisfy { $0.takes(row, budget) }
        try budget?.check()
        guard isTaken else { return }
        count += 1
        if rows.count == room, isOrdered, let end {
          try sort(&rows, by: plan)
          budget?.letGo((rows.count - end) * width)
          rows.removeLast(rows.count - end)
        }
        if rows.count < room {
          budget?.keep(width)
          rows.append(row)
        }
        if !countingAll, !isOrdered, rows.count == room { throw EnoughRows() }
      }
    } catch is EnoughRows {}
    return (rows, count)
  }

  private func sort(
    _ rows: inout [Row], by plan: ReadPlan, _ embedded: [EmbeddedRows?] = []
  ) throws {
    guard !plan.order.isEmpty, rows.count > 1 else { return }
    let keys = plan.table.places(of: plan.table.primaryKey) ?? []
    let types = plan.table.columns.map(\.type)
    // The order of the scan decides last, so that pages of the same rows are the same.
    // What is embedded in a row is looked up once, and not for each row with which it is compared.
    let embeddedValues = plan.order.map { term -> [Value] in
      guard let place = term.embed, let found = embedded[place] else { return [] }
      return rows.map { row in
        budget?.spend(40)
        budget?.keep(1)
        let first = found.places(of: row, plan.embeds[place]).first
        return first.map { term.operand.value(in: found.fetched.rows[$0], budget) } ?? .null
      }
    }
    let sorted = try rows.enumerated().sorted { left, right in
      try budget?.check()
      for (place, term) in plan.order.enumerated() {
        let values = embeddedValues[place]
        let order =
          term.embed == nil
          ? term.order(left.element, right.element, budget)
          : term.order(values[left.offset], values[right.offset], budget)
        if order != 0 { return order < 0 }
      }
      for key in keys {
        let (one, other) = (left.element.values[key], right.element.values[key])
        if let order = Value.order(one, other, types[key]), order != 0 { return order < 0 }
      }
      return left.offset < right.offset
    }
    rows = sorted.map(\.element)
  }

  /// Fetches what belongs to any of some rows, in one scan.
  private func embedded(_ embed: ReadPlan.Embed, in parents: [Row]) throws -> EmbeddedRows {
    let keys = Set(parents.compactMap { $0.key(embed.columns) })
    // By the values of the embedded row: those of the rows to which it belongs.
    var owners: [RowKey: [RowKey]] = [:]
    if let junction = embed.junction {
      var pairs: Set<[RowKey]> = []
      try scan(junction.table, junction.own, among: keys) { pair in
        guard let own = pair.key(junction.own), let other = pair.key(junction.other) else { return }
        if pairs.insert([own, other]).inserted { owners[other, default: []].append(own) }
      }
    }
    let wanted = embed.junction == nil ? keys : Set(owners.keys)
    guard !wanted.isEmpty else {
      return EmbeddedRows(fetched: try fill([], embed.plan))
    }
    var narrowing = embed.plan.narrowing
    narrowing.narrow(embed.otherColumns, of: embed.plan.table, to: wanted)
    var rows = try scan(embed.plan, narrowing).rows
    rows.removeAll { row in row.key(embed.otherColumns).map { !wanted.contains($0) } ?? true }
    var known = [EmbeddedRows?](repeating: nil, count: embed.plan.embeds.count)
    try leaveOut(from: &rows, embed.plan, &known)
    try sort(&rows, by: embed.plan, known)
    return try grouped(rows, embed, owners, known)
  }

  /// Puts rows, which are in order, to those to which they belong, a page to each.
  private func grouped(
    _ rows: [Row], _ embed: ReadPlan.Embed, _ owners: [RowKey: [RowKey]], _ known: [EmbeddedRows?]
  ) throws -> EmbeddedRows {
    var groups: [RowKey: [Int]] = [:]
    for (place, row) in rows.enumerated() {
      guard let key = row.key(embed.otherColumns) else { continue }
      for owner in embed.junction == nil ? [key] : owners[key] ?? [] {
        groups[owner, default: []].append(place)
      }
    }
    if !embed.plan.counts, embed.plan.limit != nil || embed.plan.offset > 0 {
      let page = PageRange(offset: embed.plan.offset, limit: embed.plan.limit)
      groups = groups.mapValues { Array($0[page.places(of: $0.count)]) }
    }
    // Nothing below is read for what is only counted.
    let fetched =
      embed.plan.counts ? FetchedRows(rows: rows) : try fill(rows, embed.plan, known)
    return EmbeddedRows(fetched: fetched, groups: groups)
  }

  private func scan(
    _ table: Table, _ columns: [Int], among keys: Set<RowKey>, near: Narrowing = Narrowing(),
    _ take: (Row) throws -> Void
  ) throws {
    var narrowing = near
    narrowing.isOfRecords = isOfRecords
    narrowing.narrow(columns, of: table, to: keys)
    guard let sight, !narrowing.isEmpty else { return }
    try table.scan(sight, narrowing) { row in
      budget?.spend(20 + table.columns.count)
      try budget?.check()
      if let key = row.key(columns), keys.contains(key) { try take(row) }
    }
  }

  /// Fetches the rows of keys, in the order of the keys; one that cannot be seen is left out.
  ///
  /// - Parameters:
  ///   - keys: Values of the columns.
  ///   - columns: Columns by which no two rows are the same.
  ///   - table: Where.
  ///   - near: What else is known of them.
  /// - Returns: The rows.
  /// - Throws: what a scan throws.
  func rows(
    _ keys: [[Value]], by columns: [String], in table: Table, near: Narrowing = Narrowing()
  ) throws -> [Row] {
    guard let places = table.places(of: columns), !keys.isEmpty else { return [] }
    let keys = keys.compactMap { RowKey($0) }
    var found: [RowKey: Row] = [:]
    try scan(table, places, among: Set(keys), near: near) { row in
      if let key = row.key(places) { found[key] = row }
    }
    return keys.compactMap { found[$0] }
  }
}

extension Narrowing {
  /// Takes these values of some columns alone.
  mutating func narrow(_ columns: [Int], of table: Table, to keys: Set<RowKey>) {
    for (place, column) in columns.enumerated() {
      let type = table.columns[column].type
      guard type != .decimal, type != .json, type != .textArray else { continue }
      narrow(table.columns[column].name, to: Set(keys.map { $0[place] }))
    }
  }
}

extension ReadPlan.Order {
  fileprivate func order(_ left: Row, _ right: Row, _ budget: RequestBudget?) -> Int {
    order(operand.value(in: left, budget), operand.value(in: right, budget), budget)
  }

  fileprivate func order(_ left: Value, _ right: Value, _ budget: RequestBudget?) -> Int {
    budget?.spend(min(left.weight, right.weight))
    if left.isNull || right.isNull {
      if left.isNull == right.isNull { return 0 }
      return left.isNull == nullsFirst ? -1 : 1
    }
    let order = Value.order(left, right, operand.type) ?? 0
    return isDescending ? -order : order
  }
}
