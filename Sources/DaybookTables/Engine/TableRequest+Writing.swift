import DaybookStore
import HTTPTypes
import Values
import Wire

extension TableRequest {
  /// The result of a write.
  private struct Written: Sendable {
    var count = 0
    var body: [UInt8] = []
    var isNew = false
  }

  /// Inserts rows, or updates existing ones where the request asks for that.
  ///
  /// - Throws: ``TableError``, or what writing throws; then nothing is recorded.
  func insert(into table: AppTable) async throws -> WireResponse {
    let query = try writeQuery()
    let plan = try PlanBuilder.plan(query, of: table, in: schema, at: now)
    let body = try BodyRows(request.body, columns: query.columns, of: table)
    let inserter = try RowInserter(
      body, into: table, of: schema, preferences, conflictColumns: query.conflictColumns)
    let written = try await write(orElse: .anonymousWrite(table.name), isLong: body.isLong) {
      write in
      let outcome = try inserter.write(&write)
      return try report(outcome.rows, plan, write, isNew: outcome.isNew)
    }
    // A request that ignores existing rows is answered as an insert, even if it inserted none.
    let isMerge = preferences.resolution == .merge
    return answer(
      written, status: isMerge && !written.isNew ? .ok : .created,
      range: PageRange.header(from: 0, count: 0, total: total(written)))
  }

  /// Inserts or updates the row whose key the query names.
  ///
  /// - Throws: ``TableError`` (`PGRST105`, `PGRST114`, `PGRST115`), or what writing throws; then nothing is
  ///   recorded.
  func put(into table: AppTable) async throws -> WireResponse {
    let query = try writeQuery()
    try query.checkPlace(of: table)
    let plan = try PlanBuilder.plan(query, of: table, in: schema, at: now, isWrite: true)
    let body = try BodyRows(request.body, columns: nil, of: table)
    let inserter = try RowInserter(
      body, into: table, of: schema, preferences.merging, conflictColumns: nil,
      at: plan.predicates)
    let written = try await write(orElse: .anonymousWrite(table.name), isLong: body.isLong) {
      write in
      let outcome = try inserter.write(&write)
      return try report(outcome.rows, plan, write, isNew: outcome.isNew)
    }
    guard preferences.representation else { return response(.noContent) }
    return response(written.isNew ? .created : .ok, body: written.body)
  }

  /// Updates the visible rows that a query finds and that the caller may change.
  ///
  /// - Throws: ``TableError``, or what writing throws; then nothing is recorded.
  func update(_ table: AppTable) async throws -> WireResponse {
    let query = try writeQuery()
    let plan = try PlanBuilder.plan(query, of: table, in: schema, at: now, isWrite: true)
    let changes = try RowUpdater.changes(
      BodyRows(request.body, columns: query.columns, of: table, isUpdate: true), at: now)
    let updater = RowUpdater(table: table, schema: schema)
    let written = try await change { write, caller in
      // A request that changes no column finds no row, as in PostgREST.
      let rows = changes.isEmpty ? [] : try matching(plan, write) { $0.mayChange($1, write) }
      let written = try rows.map { row in
        write.batch.beginCommand()
        return try updater.update(row, to: changes, caller, &write)
      }
      return try report(written, plan, write)
    }
    return answer(
      written, status: preferences.representation ? .ok : .noContent,
      range: PageRange.header(from: 0, count: written.count, total: total(written)))
  }

  /// Deletes the visible rows that a query finds and that the caller may change.
  ///
  /// - Throws: ``TableError``, or what writing throws; then nothing is recorded.
  func delete(from table: AppTable) async throws -> WireResponse {
    let query = try writeQuery()
    let plan = try PlanBuilder.plan(query, of: table, in: schema, at: now, isWrite: true)
    let updater = RowUpdater(table: table, schema: schema)
    let written = try await change { write, _ in
      let rows = try matching(plan, write) { $0.mayDelete($1, write) }
      // Deleted rows are answered as they were.
      let written = try report(rows, plan, write)
      for row in rows { try updater.delete(row, &write) }
      return written
    }
    return answer(
      written, status: preferences.representation ? .ok : .noContent,
      range: PageRange.header(from: 0, count: 0, total: total(written)))
  }

  /// The query of a write. It may not name a moment, which would select present rows by past
  /// values.
  private func writeQuery() throws(TableError) -> TableQuery {
    let query = try TableQuery(request.query)
    guard query.moment == nil else { throw TableError.pastIsRead }
    return query
  }

  /// Writes as the caller. A request without an account sees no rows, and so changes none.
  private func change(
    _ body: @escaping @Sendable (inout TableWrite, Key) throws -> Written
  ) async throws -> Written {
    guard let caller else {
      if media == .object { throw TableError.notSingle(0) }
      return Written(body: Array("[]".utf8))
    }
    return try await write(orElse: .unknownAccount) { try body(&$0, caller) }
  }

  /// The rows that a query finds and the caller may write.
  private func matching(
    _ plan: ReadPlan, _ write: TableWrite,
    where mayWrite: (any TableWriter, [String: TableValue]) -> Bool
  ) throws -> [Row] {
    guard let writer = plan.table.writer else { return [] }
    let page = PageRange(offset: plan.offset, limit: plan.limit)
    let found = try RowFetcher(view: write.view, budget: RequestBudget(write.allowance))
      .fetch(plan.findingRows, page: page).rows
    let rows = found.filter { mayWrite(writer, plan.table.values(of: $0)) }
    guard rows.count <= write.allowance.rows else { throw RequestBudget.Spent() }
    guard rows.count <= BodyRows.mostRows else { throw TableError.tooManyRows }
    if let maximum = preferences.maximumAffected, rows.count > maximum {
      throw TableError(
        .badRequest, "PGRST124", "Query result exceeds max-affected preference constraint",
        details: "The query affects \(rows.count) rows")
    }
    return rows
  }

  /// The answer about written rows, as they are after the write.
  private func report(
    _ written: [WrittenRow], _ plan: ReadPlan, _ write: TableWrite, isNew: Bool = false
  ) throws -> Written {
    guard preferences.representation else {
      if media == .object, written.count != 1 { throw TableError.notSingle(written.count) }
      return Written(count: written.count, isNew: isNew)
    }
    let rows = try RowFetcher(view: write.view, onlyWritten: true)
      .rows(
        written.map(\.key), by: plan.table.primaryKey, in: plan.table,
        near: WrittenRow.bounds(written))
    var report = try report(rows, plan, write)
    report.isNew = isNew
    return report
  }

  private func report(
    _ rows: [Row], _ plan: ReadPlan, _ write: TableWrite
  ) throws -> Written {
    guard preferences.representation else {
      if media == .object, rows.count != 1 { throw TableError.notSingle(rows.count) }
      return Written(count: rows.count)
    }
    let budget = RequestBudget(write.allowance)
    let fetched = try RowFetcher(view: write.view, budget: budget).fill(rows, plan)
    return Written(
      count: rows.count, body: try rendered(plan, fetched, count: rows.count, budget))
  }

  private func total(_ written: Written) -> Int? { preferences.counts ? written.count : nil }

  private func answer(
    _ written: Written, status: HTTPResponse.Status, range: String
  ) -> WireResponse {
    response(status, range: range, body: preferences.representation ? written.body : nil)
  }
}

extension TableQuery {
  /// Checks that the query names one row by its key, as `PUT` requires.
  ///
  /// - Throws: ``TableError``: `PGRST114` for a page of rows, `PGRST105` for anything other than the key.
  fileprivate func checkPlace(of table: AppTable) throws(TableError) {
    guard shape.limit == nil, shape.offset == 0 else {
      throw TableError(
        .badRequest, "PGRST114",
        "limit/offset querystring parameters are not allowed for PUT")
    }
    var columns: Set<String> = []
    for condition in shape.conditions {
      guard case .comparison(let column, let comparison) = condition, column.steps.isEmpty,
        comparison.comparing == .equal, comparison.quantifier == nil
      else { throw .noPlace }
      columns.insert(column.name)
    }
    guard !columns.isEmpty, columns == Set(table.primaryKey) else { throw .noPlace }
  }
}

extension TableError {
  /// A `PUT` names no key.
  fileprivate static let noPlace = TableError(
    .methodNotAllowed, "PGRST105",
    "Filters must include all and only primary key columns with 'eq' operators")
}
