import HTTPTypes
import Values
import Wire

extension TableRequest {
  /// Answers the rows of a table.
  ///
  /// A quick read is answered at once. A slow read, and every read of a past moment, moves to a thread of its own,
  /// where it may take longer: there the reads of one account wait for each other, not for those of others.
  ///
  /// - Throws: ``TableError``, or what reading throws.
  func read(_ table: AppTable) async throws -> WireResponse {
    if let plan = service.plans[planKey(of: table)] { return try await read(plan, asOf: nil) }
    let query = try TableQuery(request.query)
    let plan = try PlanBuilder.plan(query, of: table, in: schema, at: now)
    if query.moment == nil, !request.query.mayNameTime { service.plans[planKey(of: table)] = plan }
    return try await read(plan, asOf: query.moment)
  }

  private func read(_ plan: ReadPlan, asOf moment: String?) async throws -> WireResponse {
    guard let caller else { return try answer(plan, RowFetcher(view: view(asOf: moment))) }
    if moment == nil {
      do {
        let budget = RequestBudget(service.allowances.brief)
        return try answer(
          plan, RowFetcher(view: view(asOf: nil), isForShow: true, budget: budget))
      } catch is RequestBudget.Spent {}
    }
    let queue = moment == nil ? service.longReads : service.pastReads
    do {
      return try await queue.run(for: caller) { isWanted in
        let budget = RequestBudget(service.allowances.long, while: isWanted)
        let view = try view(asOf: moment, of: plan.habit)
        return try answer(plan, RowFetcher(view: view, isForShow: true, budget: budget))
      }
    } catch is TurnQueue.Full { throw TableError.tooManyReads }
  }

  /// Answers a page of a plan's rows.
  ///
  /// - Throws: ``TableError`` (`PGRST103`, `PGRST116`), or what reading throws.
  func answer(_ plan: ReadPlan, _ fetcher: RowFetcher) throws -> WireResponse {
    let page = try PageRange(offset: plan.offset, limit: plan.limit)
      .narrowed(by: request.headers).capped(at: service.rowLimit)
    let fetched = try fetcher.fetch(
      plan, page: plan.counts ? PageRange(limit: 0) : page,
      countingAll: preferences.counts || plan.counts)
    let count = plan.counts ? 1 : fetched.rows.count
    let total = preferences.counts ? (plan.counts ? 1 : fetched.total) : nil
    if let total, page.offset > total {
      var error = TableError.range(
        "An offset of \(page.offset) was requested, but there are only \(total) rows.")
      error.total = total
      throw error
    }
    let body = try rendered(plan, fetched, count: count, fetcher.budget)
    return response(
      total.map { count < $0 } == true ? .partialContent : .ok,
      range: PageRange.header(from: page.offset, count: count, total: total), body: body)
  }

  /// The rows in the requested form.
  ///
  /// - Throws: ``TableError``: `PGRST116` when a single row was requested and there are none or several; `54000`.
  ///   ``RequestBudget/Spent``.
  func rendered(
    _ plan: ReadPlan, _ fetched: FetchedRows, count: Int, _ budget: RequestBudget?
  ) throws -> [UInt8] {
    var json: [UInt8] = []
    json.reserveCapacity(4096)
    let output = RowOutput(plan: plan, fetched: fetched, budget: budget)
    switch media {
    case .rows: output.writeArray(to: &json)
    case .object:
      guard count == 1 else { throw TableError.notSingle(count) }
      output.writeFirst(to: &json)
    }
    guard json.count <= RowOutput.mostBytes else { throw TableError.tooLong }
    try budget?.check()
    return json
  }
}
