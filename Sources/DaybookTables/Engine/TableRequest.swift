import Calendar
import Daybook
import DaybookStore
import HTTPTypes
import Values
import Wire

/// A request on its way to an answer; the parts that all kinds of requests share.
struct TableRequest: Sendable {
  let service: TableService
  let request: WireRequest
  let schema: TableSchema
  let preferences: Preferences
  let media: MediaType
  private let viewer: Viewer

  /// Reads the headers.
  ///
  /// - Throws: ``TableError`` for an unknown method, schema or media type.
  init(
    _ service: TableService, _ request: WireRequest, in schema: TableSchema, by viewer: Viewer
  ) throws(TableError) {
    (self.service, self.request, self.schema) = (service, request, schema)
    self.viewer = viewer
    switch request.method {
    case .get, .head, .options: try Self.checkProfile(request.headers[.acceptProfile])
    case .post, .put, .patch, .delete: try Self.checkProfile(request.headers[.contentProfile])
    default:
      throw TableError(
        .methodNotAllowed, "PGRST117", "Unsupported HTTP method: \(request.method.rawValue)")
    }
    preferences = try Preferences(request.headers)
    media = try MediaType(request.headers)
  }

  private static func checkProfile(_ profile: String?) throws(TableError) {
    guard let profile, profile != "public" else { return }
    throw TableError(
      .notAcceptable, "PGRST106", "Invalid schema: \(profile)",
      hint: "Only the following schemas are exposed: public")
  }

  /// Carries out the request.
  ///
  /// - Throws: ``TableError``, or what reading and writing throw.
  func answer() async throws -> WireResponse {
    switch request.path.count {
    case 1:
      guard let table = schema.table(request.path[0]) else {
        throw TableError(
          .notFound, "PGRST205",
          "Could not find the table 'public.\(request.path[0])' in the schema cache")
      }
      switch request.method {
      case .options: return options(of: table)
      case .post: return try await insert(into: table)
      case .put: return try await put(into: table)
      case .patch: return try await update(table)
      case .delete: return try await delete(from: table)
      default: return try await read(table)
      }
    case 2 where request.path[0] == "rpc":
      let name = request.path[1]
      return try await request.method == .options ? options(ofFunction: name) : call(name)
    default:
      throw TableError(.notFound, "PGRST125", "Invalid path specified in request URL")
    }
  }

  // MARK: Who asks

  /// The caller's key; `nil` without an account.
  var caller: Key? {
    if case .account(let key) = viewer { key } else { nil }
  }

  /// The meaning of "now" in the request.
  var now: Instant { service.book.clock.now() }

  /// What the caller sees now or saw at a moment; `nil` without an account, or before the account existed.
  ///
  /// - Parameters:
  ///   - moment: The moment; `nil` for now.
  ///   - habit: The only habit that is read, if there is one; a past state of the caller's own data then needs
  ///     nothing else.
  /// - Returns: What the caller sees.
  /// - Throws: ``TableError`` for an unknown account or an invalid moment; what reading throws.
  func view(asOf moment: String?, of habit: Key? = nil) throws -> AccountView? {
    let instant = try moment.map { text throws(TableError) in try Self.instant(text) }
    guard let caller else { return nil }
    let present = service.book.read { $0 }
    let viewer = try account(caller, in: present)
    let now = max(service.book.clock.now(), present.at)
    guard let instant, instant < now else {
      return AccountView(
        present: present, viewer, at: now, service.book.reader, service.directory)
    }
    let reader = service.book.reader
    let own = try habit.flatMap { key in
      try reader.ownState(ofHabit: key, of: viewer, asOf: instant, knowing: present)
    }
    let past = try (own ?? reader.state(asOf: instant, knowing: present)).seen(from: present)
    guard past.accounts[viewer]?.key == caller else { return nil }
    return AccountView(past, viewer, at: instant, reader, service.directory)
  }

  /// Parses a moment; a day means its end in UTC.
  private static func instant(_ text: String) throws(TableError) -> Instant {
    let time = try TimestampText(text, as: "timestamp with time zone")
    return time.hasTime ? time.instant : time.instant.advanced(byMilliseconds: 86_399_999)
  }

  private func account(_ key: Key, in state: BookState) throws(TableError) -> Account.ID {
    guard let number = state.accounts.present(key) else { throw .unknownAccount }
    return number
  }

  // MARK: Writing

  /// Writes one commit as the caller.
  ///
  /// - Parameters:
  ///   - refusal: The error for a request without an account.
  ///   - isLong: Whether the write is known to take long. Otherwise it starts as a short write, and starts again as
  ///     a long one if that was not enough.
  ///   - body: Makes the write. It may run again if another write came first.
  /// - Returns: What `body` returns.
  /// - Throws: what `body` throws; then nothing is recorded.
  func write<Answer: Sendable>(
    orElse refusal: TableError, isLong: Bool = false,
    _ body: @escaping @Sendable (inout TableWrite) throws -> Answer
  ) async throws -> Answer {
    guard let caller else { throw refusal }
    if !isLong {
      do { return try await commit(by: caller, isLong: false, body) } catch is RequestBudget.Spent {
      }
    }
    do {
      return try await service.longWrites.hold(for: caller) {
        try await commit(by: caller, isLong: true, body)
      }
    } catch is TurnQueue.Full { throw TableError.tooManyWrites }
  }

  private func commit<Answer: Sendable>(
    by caller: Key, isLong: Bool,
    _ body: @escaping @Sendable (inout TableWrite) throws -> Answer
  ) async throws -> Answer {
    try await service.book.transaction(isLong: isLong) { batch in
      let (position, last) = (batch.state.position, batch.state.at)
      let at = service.clock.next(for: caller, now: service.book.clock.now(), after: last)
      let viewer = try account(caller, in: batch.state)
      // The batch moves in and out again, because a value with two owners is copied on change.
      var write = tableWrite(consume batch, by: viewer, at: at)
      write.allowance = isLong ? .write : .briefWrite
      let result = Result { try body(&write) }
      batch = write.end()
      if case .success = result, batch.state.position > position {
        service.clock.note(at, of: caller)
      }
      return try result.get()
    }
  }

  /// Runs a write as the caller and drops it.
  ///
  /// - Throws: what `body` throws.
  func suppose<Result>(
    orElse refusal: TableError, _ body: (inout TableWrite) throws -> Result
  ) throws -> Result {
    guard let caller else { throw refusal }
    let view = service.book.view()
    let viewer = try account(caller, in: view.state)
    var write = tableWrite(Batch(supposing: view), by: viewer, at: view.query.asOf)
    return try body(&write)
  }

  private func tableWrite(
    _ batch: consuming Batch, by viewer: Account.ID, at instant: Instant
  ) -> TableWrite {
    TableWrite(batch, by: viewer, at: instant, service.book.reader, service.directory)
  }

  // MARK: Answering

  /// An answer with the headers that all answers share.
  func response(
    _ status: HTTPResponse.Status, range: String? = nil, body: [UInt8]? = nil
  ) -> WireResponse {
    var response = WireResponse(status)
    if let range { response.headers[.contentRange] = range }
    if let applied = preferences.applied(to: request.method) {
      response.headers[.preferenceApplied] = applied
    }
    if let body {
      response.headers[.contentType] = media.header
      response.body = body
    }
    return response
  }
}
