/// The rows of a plan, with their embedded rows.
struct FetchedRows {
  var rows: [Row] = []
  /// The total number of rows, where it was counted; `rows` is a page of them.
  var total = 0
  /// The rows of each embed of the plan.
  var embedded: [EmbeddedRows] = []
}

/// Rows of another table, grouped by the values that join them to their parents.
struct EmbeddedRows {
  var fetched = FetchedRows()
  /// The places of the rows in each group.
  var groups: [RowKey: [Int]] = [:]

  /// The places of the rows that belong to a parent row.
  func places(of row: Row, _ embed: ReadPlan.Embed) -> [Int] {
    row.key(embed.columns).flatMap { groups[$0] } ?? []
  }
}

/// Follows a plan over the rows that a viewer may see; without a view there are no rows.
struct RowFetcher {
  let view: AccountView?
  /// Whether to read only rows that were written, and none that are derived from the journal.
  var onlyWritten = false
  /// Whether rows are read only to be shown, so that only the plan's columns are filled.
  var isForShow = false
  /// Counts the cost, where the caller decides it.
  var budget: RequestBudget?
  /// The least number of rows to keep before dropping those outside the page.
  var leastRoom = 1000

  /// Fetches a page of rows, and counts all rows.
  ///
  /// - Parameters:
  ///   - plan: The plan.
  ///   - page: The page; `nil` for all rows.
  ///   - countingAll: Whether all rows must be counted; otherwise the scan may end with the page.
  /// - Returns: The rows of the page.
  /// - Throws: ``TableError``, or what a scan throws.
  func fetch(
    _ plan: ReadPlan, page: PageRange? = nil, countingAll: Bool = true
  ) throws -> FetchedRows {
    // All rows are read where embedded rows decide which rows are shown, or their order.
    let isScanAll =
      plan.embeds.contains { $0.decides } || plan.order.contains { $0.embed != nil }
    let end = isScanAll ? nil : page.flatMap { page in page.limit.map { page.offset + $0 } }
    var (rows, total) = try scan(plan, plan.bounds, end: end, countingAll: countingAll)
    var embedded = [EmbeddedRows?](repeating: nil, count: plan.embeds.count)
    if isScanAll {
      try filterByEmbeds(&rows, plan, &embedded)
      total = rows.count
    }
    try sort(&rows, by: plan, embedded)
    if let page { rows = Array(rows[page.places(of: rows.count)]) }
    var fetched = try fill(rows, plan, embedded)
    fetched.total = total
    return fetched
  }

  /// Fetches the embedded rows of rows that were already read.
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

  /// Removes the rows that lack a required embed, that have a forbidden one, or that fail a condition on embeds;
  /// then orders the rest by embedded values.
  private func filterByEmbeds(
    _ rows: inout [Row], _ plan: ReadPlan, _ embedded: inout [EmbeddedRows?]
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
          predicate.matches(row, budget) { place in
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

  /// Ends a scan that has found enough rows.
  private struct EnoughRows: Error {}

  /// Reads the rows of a plan.
  ///
  /// - Parameters:
  ///   - plan: The plan.
  ///   - bounds: The bounds of the rows.
  ///   - end: The number of rows wanted, in the plan's order; `nil` for all.
  ///   - countingAll: Whether to count all rows, even those not wanted.
  /// - Returns: The wanted rows and perhaps more, and the number of rows found.
  /// - Throws: ``RequestBudget/Spent``, or what a scan throws.
  private func scan(
    _ plan: ReadPlan, _ bounds: ScanBounds, end: Int? = nil, countingAll: Bool = true
  ) throws -> (rows: [Row], count: Int) {
    guard let view, !bounds.isEmpty, countingAll || end != 0 else { return ([], 0) }
    var bounds = bounds
    if isForShow { bounds.places = plan.places }
    let width = plan.table.columns.count
    // When the plan orders rows, the last one read may come first. Surplus rows are dropped at
    // twice the wanted number.
    let isOrdered = !plan.order.isEmpty && end != 0
    let room = end.map { isOrdered ? max(2 * $0, leastRoom) : $0 } ?? .max
    var (rows, count): ([Row], Int) = ([], 0)
    do {
      try plan.table.scan(view, bounds) { row in
        budget?.spend(20 + (isForShow ? plan.places.count : width))
        let isMatch = plan.predicates.allSatisfy { $0.matches(row, budget) }
        try budget?.check()
        guard isMatch else { return }
        count += 1
        if rows.count == room, isOrdered, let end {
          try sort(&rows, by: plan)
          budget?.release((rows.count - end) * width)
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
    // Ties keep the scan's order, so that pages do not change. An embedded value is looked up once
    // per row, not once per comparison.
    let embeddedValues = plan.order.map { term -> [TableValue] in
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
        if let order = TableValue.order(one, other, types[key]), order != 0 { return order < 0 }
      }
      return left.offset < right.offset
    }
    rows = sorted.map(\.element)
  }

  /// Fetches the rows that belong to any of the parents, in one scan.
  private func embedded(_ embed: ReadPlan.Embed, in parents: [Row]) throws -> EmbeddedRows {
    let keys = Set(parents.compactMap { $0.key(embed.columns) })
    // Maps the key of an embedded row to the keys of its parents.
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
    var bounds = embed.plan.bounds
    bounds.limit(embed.otherColumns, of: embed.plan.table, to: wanted)
    var rows = try scan(embed.plan, bounds).rows
    rows.removeAll { row in row.key(embed.otherColumns).map { !wanted.contains($0) } ?? true }
    var known = [EmbeddedRows?](repeating: nil, count: embed.plan.embeds.count)
    try filterByEmbeds(&rows, embed.plan, &known)
    try sort(&rows, by: embed.plan, known)
    return try grouped(rows, embed, owners, known)
  }

  /// Groups ordered rows by parent, and takes a page for each.
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
    // Rows that are only counted need no embeds of their own.
    let fetched =
      embed.plan.counts ? FetchedRows(rows: rows) : try fill(rows, embed.plan, known)
    return EmbeddedRows(fetched: fetched, groups: groups)
  }

  private func scan(
    _ table: AppTable, _ columns: [Int], among keys: Set<RowKey>, near: ScanBounds = ScanBounds(),
    _ take: (Row) throws -> Void
  ) throws {
    var bounds = near
    bounds.onlyWritten = onlyWritten
    bounds.limit(columns, of: table, to: keys)
    guard let view, !bounds.isEmpty else { return }
    try table.scan(view, bounds) { row in
      budget?.spend(20 + table.columns.count)
      try budget?.check()
      if let key = row.key(columns), keys.contains(key) { try take(row) }
    }
  }

  /// Fetches the rows with the given keys, in the order of the keys, and skips those that are not
  /// visible.
  ///
  /// - Parameters:
  ///   - keys: The values of the columns.
  ///   - columns: Columns that are unique together.
  ///   - table: The table.
  ///   - near: Other restrictions on the rows.
  /// - Returns: The rows.
  /// - Throws: what a scan throws.
  func rows(
    _ keys: [[TableValue]], by columns: [String], in table: AppTable,
    near: ScanBounds = ScanBounds()
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

extension ScanBounds {
  /// Restricts some columns to these values.
  mutating func limit(_ columns: [Int], of table: AppTable, to keys: Set<RowKey>) {
    for (place, column) in columns.enumerated() {
      let type = table.columns[column].type
      guard type != .decimal, type != .json, type != .textArray else { continue }
      limit(table.columns[column].name, to: Set(keys.map { $0[place] }))
    }
  }
}

extension ReadPlan.Order {
  fileprivate func order(_ left: Row, _ right: Row, _ budget: RequestBudget?) -> Int {
    order(operand.value(in: left, budget), operand.value(in: right, budget), budget)
  }

  fileprivate func order(_ left: TableValue, _ right: TableValue, _ budget: RequestBudget?) -> Int {
    budget?.spend(min(left.weight, right.weight))
    if left.isNull || right.isNull {
      if left.isNull == right.isNull { return 0 }
      return left.isNull == nullsFirst ? -1 : 1
    }
    let order = TableValue.order(left, right, operand.type) ?? 0
    return isDescending ? -order : order
  }
}
