import Avro
import Daybook
import HTTPTypes
import Wire

extension TableRequest {
  /// Calls a function.
  ///
  /// - Throws: ``TableError``, or what the function throws; then nothing is recorded.
  func call(_ name: String) async throws -> WireResponse {
    let isRead = request.method == .get || request.method == .head
    guard isRead || request.method == .post else {
      throw TableError(
        .methodNotAllowed, "PGRST101",
        "Cannot use the \(request.method.rawValue) method on RPC")
    }
    var given = isRead ? [] : try Self.members(of: request.body)
    guard let function = schema.functions.first(where: { $0.name == name }) else {
      throw missing(name, isRead ? [] : given.map(\.name))
    }
    let names = Set(function.arguments.map(\.name))
    let query = try TableQuery(request.query, passingOver: isRead ? names : [])
    guard query.moment == nil else { throw TableError.pastIsRead }
    if !isRead, let columns = query.columns { given = Self.members(columns, of: given) }
    let arguments = isRead ? try queried(function) : try matched(given, to: function)
    guard !isRead || function.isReadOnly else {
      throw TableError(
        .methodNotAllowed, "PGRST101",
        "Cannot use the \(request.method.rawValue) method on this RPC")
    }
    let refusal = TableError(
      .unauthorized, "42501", "permission denied for function \(name)")
    let body: @Sendable (inout TableWrite) throws -> WireResponse = { write in
      do {
        return try self.response(to: try function.call(arguments(), &write), query, write)
      } catch let rejection as Rejection { throw TableError(raising: rejection) }
    }
    return function.isReadOnly
      ? try suppose(orElse: refusal, body) : try await write(orElse: refusal, body)
  }

  // MARK: Arguments

  private static func members(of body: [UInt8]) throws(TableError) -> [JSON.Member] {
    if body.isEmpty { return [] }
    do throws(JSONError) {
      if let members = try JSON(parsing: body, lastOfNameCounts: true).members { return members }
    } catch { throw .invalidBody("Empty or invalid json") }
    throw .invalidBody("All object keys must match")
  }

  /// The members that `columns` names. Other members are ignored, and a missing one is NULL.
  private static func members(_ columns: [String], of given: [JSON.Member]) -> [JSON.Member] {
    columns.map { name in given.first { $0.name == name } ?? JSON.Member(name, .null) }
  }

  /// Matches the members of a body to arguments by name. The values are parsed once the caller is
  /// known.
  private func matched(
    _ given: [JSON.Member], to function: RemoteFunction
  ) throws(TableError) -> @Sendable () throws(TableError) -> [String: TableValue] {
    for member in given where !function.arguments.contains(where: { $0.name == member.name }) {
      throw missing(function.name, given.map(\.name))
    }
    for argument in function.arguments where argument.defaultValue == nil {
      guard given.contains(where: { $0.name == argument.name }) else {
        throw missing(function.name, given.map(\.name))
      }
    }
    return { () throws(TableError) in
      var arguments: [String: TableValue] = [:]
      for argument in function.arguments {
        arguments[argument.name] =
          if let member = given.first(where: { $0.name == argument.name }) {
            try TableValue(member.value, argument.type, at: now)
          } else {
            argument.defaultValue ?? .null
          }
      }
      return arguments
    }
  }

  /// Matches the items of the query to arguments by name.
  private func queried(
    _ function: RemoteFunction
  ) throws(TableError) -> @Sendable () throws(TableError) -> [String: TableValue] {
    let items = request.query
    for argument in function.arguments where argument.defaultValue == nil {
      guard items[argument.name] != nil else {
        throw missing(function.name, items.items.map(\.name))
      }
    }
    return { () throws(TableError) in
      var arguments: [String: TableValue] = [:]
      for argument in function.arguments {
        arguments[argument.name] =
          if let text = items[argument.name] {
            try Literal(text, argument.type, at: now).value
          } else {
            argument.defaultValue ?? .null
          }
      }
      return arguments
    }
  }

  /// No function of that name takes these arguments.
  func missing(_ name: String, _ arguments: [String]) -> TableError {
    let list = arguments.sorted().joined(separator: ", ")
    return TableError(
      .notFound, "PGRST202",
      "Could not find the function public.\(name)\(list.isEmpty ? " without parameters" : "(\(list))") "
        + "in the schema cache",
      details: "Searched for the function public.\(name) "
        + (list.isEmpty ? "without parameters" : "with parameters \(list)")
        + ", but no matches were found in the schema cache.")
  }

  // MARK: Answers

  private func response(
    to answer: RemoteFunction.Answer, _ query: TableQuery, _ write: TableWrite
  ) throws -> WireResponse {
    let single = PageRange.header(from: 0, count: 1, total: preferences.counts ? 1 : nil)
    switch answer {
    case .void: return response(.noContent)
    case .scalar(let value):
      var json = JSONWriter()
      value.write(to: &json)
      return response(.ok, range: single, body: json.bytes)
    case .row(let name, let key):
      guard let table = schema.table(name) else { throw TableError.failure }
      let plan = try plan(query, of: table)
      let columns = key.keys.sorted()
      let fetcher = RowFetcher(view: write.view, budget: RequestBudget(write.allowance))
      let rows = try fetcher.rows([columns.map { key[$0] ?? .null }], by: columns, in: table)
      var json: [UInt8] = []
      let fetched = try fetcher.fill(rows, plan)
      RowOutput(plan: plan, fetched: fetched, budget: fetcher.budget).writeFirst(to: &json)
      try fetcher.budget?.check()
      return response(.ok, range: single, body: json)
    case .rows(let rows):
      let plan = try PlanBuilder.plan(query, of: AppTable(of: rows), in: schema, at: now)
      return try self.answer(
        plan, RowFetcher(view: write.view, budget: RequestBudget(write.allowance)))
    }
  }
}

extension TableRequest {
  /// The plan of a function's query on the row that the function returns.
  private func plan(_ query: TableQuery, of table: AppTable) throws(TableError) -> ReadPlan {
    let key = planKey(of: table)
    if let plan = service.plans[key] { return plan }
    let plan = try PlanBuilder.plan(query, of: table, in: schema, at: now)
    if !request.query.mayNameTime { service.plans[key] = plan }
    return plan
  }
}

extension AppTable {
  /// A table of the rows that a function returns; its column types follow from the values.
  fileprivate convenience init(of rows: [[(String, TableValue)]]) {
    let columns = (rows.first ?? []).enumerated().map { place, member in
      let values = rows.lazy.map { place < $0.count ? $0[place].1 : .null }
      return TableColumn(member.0, values.first { !$0.isNull }?.type ?? .text, isNullable: true)
    }
    self.init("result", columns, primaryKey: []) { _, _, take in
      for row in rows where row.count == columns.count { try take(Row(row.map(\.1))) }
    }
  }
}

extension TableValue {
  /// The column type of such a value.
  fileprivate var type: ColumnType {
    switch self {
    case .null, .text: .text
    case .bool: .bool
    case .integer: .integer
    case .decimal: .decimal
    case .uuid: .uuid
    case .timestamp: .timestamp
    case .date: .date
    case .json: .json
    case .array: .textArray
    }
  }
}
