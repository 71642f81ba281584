import Avro
import Calendar
import Daybook
import DaybookStore
import HTTPTypes
package import Values
import Wire

extension ClientAPI {
  /// `GET /export/FORMAT`: everything of the account, to take along (DM-13).
  ///
  /// - Throws: ``APIRefusal``, ``Rejection``, `ExchangeError` or `JournalError`.
  func export(
    _ format: ExportFormat, _ request: WireRequest, for account: Account.ID
  ) async throws -> WireResponse {
    try request.query.allow(["as_of"])
    let last = try request.query.instant("as_of")
    let reader = book.reader
    guard let key = book.read({ $0.accounts[account]?.key }) else {
      throw Rejection.accountNotFound
    }
    let body = try await turns.run(for: key) { isWanted in
      var body = AnswerBody(while: isWanted)
      try reader.export(of: account, as: format, until: last ?? .last) { line in
        try body.append(Array(line.utf8))
      }
      return body.bytes
    }
    let type = format == .jsonl ? Self.lineTypes[0] : "text/csv; charset=utf-8"
    return WireResponse(
      .ok, headers: [.contentType: type, .cacheControl: "no-store"], body: body)
  }

  /// `POST /import/FORMAT`: what a file of another program holds, which is the body (DM-13).
  ///
  /// - Throws: ``APIRefusal``, ``Rejection``, `ExchangeError` or `JournalError`.
  func importFile(
    _ format: FileImport.Format, _ request: WireRequest, for account: Account.ID
  ) async throws -> WireResponse {
    let query = request.query
    try query.allow(["dry_run", "name", "recorded"])
    let isTrial = try query.flag("dry_run")
    guard let recording = HabitImport.Recording(rawValue: query["recorded"] ?? "now") else {
      throw APIRefusal.invalid("recorded", "it is neither now nor as-lived")
    }
    let file = FileImport(request.body, as: format, named: query["name"] ?? "")
    let book = book
    let answer = try await onThread {
      try file.record(in: book, for: account, recorded: recording, trying: isTrial)
    }
    var response = WireResponse(.ok, ["ok": answer])
    response.headers[.cacheControl] = "no-store"
    return response
  }

  /// Erases an account at its own request (ES-6). It is for the server's own screens, which ask twice.
  ///
  /// - Throws: ``Rejection`` or `JournalError`.
  package func erase(_ key: Key) async throws {
    let account = try signedIn(key)
    let book = book
    try await onThread { _ = try book.erase(account, by: account) }
  }
}

extension WireQuery {
  /// Refuses names that mean nothing here, such as misspelt ones.
  fileprivate func allow(_ names: Set<String>) throws(APIRefusal) {
    guard let other = items.first(where: { !names.contains($0.name) }) else { return }
    throw .invalid(other.name, "there is no such field here")
  }

  /// An instant of the query; `nil` if it is not there.
  ///
  /// - Throws: ``APIRefusal``.
  fileprivate func instant(_ name: String) throws(APIRefusal) -> Instant? {
    guard let text = self[name] else { return nil }
    guard let instant = Instant(text) else {
      throw .invalid(name, "\"\(text)\" is not an instant, such as 2026-03-01T12:00:00Z")
    }
    return instant
  }

  /// A flag of the query; false if it is not there.
  ///
  /// - Throws: ``APIRefusal``.
  fileprivate func flag(_ name: String) throws(APIRefusal) -> Bool {
    switch self[name] {
    case nil, "false": return false
    case "true": return true
    default: throw .invalid(name, "it is neither true nor false")
    }
  }
}

extension APIRefusal {
  /// A file that cannot be imported, or a book that cannot be exported.
  init(_ error: ExchangeError) {
    switch error {
    case .storage, .danglingNumber: self = .unavailable
    default: self.init(.unprocessableContent, error.code, error.description)
    }
  }
}
