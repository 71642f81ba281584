import Calendar
import Daybook
import DaybookStore
import HTTPTypes
import Values
import Wire

/// A request on its way to an answer: what all kinds of requests have in common.
struct TableRequest: Sendable {
  let service: TableService
  let request: WireRequest
  let schema: TableSchema
  let preferences: Preferences
  let media: MediaType
  private let viewer: Viewer

  /// Reads the headers.
  ///
  /// - Throws: ``TableError`` for a method, a schema or a form of answers that there is not.
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

  /// Carries the request out.
  ///
  /// - Throws: ``TableError``, or what reading and writing throws.
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

  /// The key of the one who asks; nothing for nobody.
  var caller: Key? {
    if case .account(let key) = viewer { key } else { nil }
  }

  /// What "now" means in what is asked.
  var now: Instant { service.book.clock.now() }

  /// What the one who asks sees now, or saw at a moment; nothing for nobody, and for one who was not there yet.
  ///
  /// - Parameters:
  ///   - moment: The moment; now without it.
  ///   - habit: The habit that is asked about, if nothing else is. Of a past of the caller's own habit, nothing else is
  ///     seen then.
  /// - Returns: What they see.
  /// - Throws: ``TableError`` for an account that is not there, or a moment that is none; what reading throws.
  func sight(asOf moment: String?, of habit: Key? = nil) throws -> Sight? {
    let instant = try moment.map { text throws(TableError) in try Self.instant(text) }
    guard let caller else { return nil }
    let present = service.book.read { $0 }
    let viewer = try account(caller, in: present)
    let now = max(service.book.clock.now(), present.at)
    guard let instant, instant < now else {
      return Sight(
        present: present, viewer, at: now, service.book.reader, service.directory)
    }
    let reader = service.book.reader
    let own = try habit.flatMap { key in
      try reader.ownState(ofHabit: key, of: viewer, asOf: instant, knowing: present)
    }
    let past = try (own ?? reader.state(asOf: instant, knowing: present)).seen(from: present)
    guard past.accounts[viewer]?.key == caller else { return nil }
    return Sight(past, viewer, at: instant, reader, service.directory)
  }

  /// A moment, or the end of a day in UTC.
  private static func instant(_ text: String) throws(TableError) -> Instant {
    let time = try TimestampText(text, as: "timestamp with time zone")
    return time.hasTime ? time.instant : time.instant.advanced(byMilliseconds: 86_399_999)
  }

  private func account(_ key: Key, in state: BookState) throws(TableError) -> Account.ID {
    guard let number = state.accounts.present(key) else { throw .unknownAccount }
    return number
  }

  // MARK: Writing

  /// Writes as one commit, as the one who asks.
  ///
  /// - Parameters:
  ///   - refusal: What is told to nobody.
  ///   - isLong: Whether it is known to take long. Otherwise it begins as a short write, and begins again as a long one
  ///     when it costs more than that allows.
  ///   - body: Writes. It may run again, when somebody else was faster.
  /// - Returns: What `body` returns.
  /// - Throws: what `body` throws; then nothing is kept.
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
      // The batch goes there and comes back: what two hold is copied where it is changed.
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

  /// Decides what is never written, as the one who asks.
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

  /// An answer with what all answers say in their headers.
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
