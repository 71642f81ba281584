import Dispatch
import HTTPTypes
import Wire

extension TableRequest {
  /// Answers rows of a table.
  ///
  /// - Throws: ``TableError``, or what reading throws.
  func read(_ table: Table) async throws -> WireResponse {
    if let plan = service.plans[question(of: table)] {
      return try answer(plan, RowFetcher(sight: sight(asOf: nil), isForShow: true))
    }
    let query = try TableQuery(request.query)
    let plan = try PlanBuilder.plan(query, of: table, in: schema)
    guard query.moment != nil else {
      service.plans[question(of: table)] = plan
      return try answer(plan, RowFetcher(sight: sight(asOf: nil), isForShow: true))
    }
    return try await Self.onPastQueue {
      try answer(plan, RowFetcher(sight: sight(asOf: query.moment), isForShow: true))
    }
  }

  /// A past is replayed from files: one at a time, on a thread that nobody else waits for.
  private static let pastQueue = DispatchQueue(label: "daybook past", qos: .userInitiated)

  private static func onPastQueue(
    _ body: @escaping @Sendable () throws -> WireResponse
  ) async throws -> WireResponse {
    try await withCheckedThrowingContinuation { continuation in
      pastQueue.async { continuation.resume(with: Result { try body() }) }
    }
  }

  /// Answers a page of what a plan asks for.
  ///
  /// - Throws: ``TableError`` (`PGRST103`, `PGRST116`), or what reading throws.
  func answer(_ plan: ReadPlan, _ fetcher: RowFetcher) throws -> WireResponse {
    let page = try PageRange(offset: plan.offset, limit: plan.limit)
      .narrowed(by: request.headers).capped(at: service.rowLimit)
    let (fetched, all) = try fetcher.fetch(
      plan, page: plan.counts ? nil : page, countingAll: preferences.counts || plan.counts)
    let count = plan.counts ? 1 : fetched.rows.count
    let total = preferences.counts ? (plan.counts ? 1 : all) : nil
    if let total, page.offset > total {
      throw TableError.range(
        "An offset of \(page.offset) was requested, but there are only \(total) rows.")
    }
    let body = try rendered(plan, fetched, count: count)
    return response(
      total.map { count < $0 } == true ? .partialContent : .ok,
      range: PageRange.header(from: page.offset, count: count, total: total), body: body)
  }

  /// Rows in the form that is asked for.
  ///
  /// - Throws: ``TableError``: `PGRST116` when one row was asked for, and there are none or several; `54000`.
  func rendered(
    _ plan: ReadPlan, _ fetched: FetchedRows, count: Int
  ) throws(TableError) -> [UInt8] {
    var json: [UInt8] = []
    json.reserveCapacity(4096)
    let output = RowOutput(plan: plan, fetched: fetched)
    switch media {
    case .rows: output.writeArray(to: &json)
    case .object:
      guard count == 1 else { throw .notSingle(count) }
      output.writeFirst(to: &json)
    }
    guard json.count <= RowOutput.mostBytes else { throw .tooLong }
    return json
  }
}
