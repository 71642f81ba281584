import Avro
import Daybook
import DaybookStore
import HTTPTypes
import Wire

extension ClientAPI {
  /// Answers a question whose fields are in the query. If the client already has the answer, it is told so without
  /// computing it again.
  ///
  /// - Throws: ``APIRefusal``, ``Rejection``, or ``JournalError``.
  func answer(
    to name: String, _ request: WireRequest, for account: Account.ID
  ) async throws -> WireResponse {
    guard let form = QuestionRequest.types[name] else {
      let rejection = Rejection.unknownQuestion(name)
      throw APIRefusal(.notFound, rejection.code, rejection.description)
    }
    let question = try request.query.question(name, columns: form.columns + form.form.commonColumns)
    let moment = QuestionMoment(of: book)
    let tag = EntityTag(of: question, form.form, for: account, at: moment)
    var headers: HTTPFields = [.cacheControl: "private, no-cache", .vary: "Authorization"]
    headers[.eTag] = tag?.text
    if let tag, request.headers.matches(tag.text) {
      return WireResponse(.notModified, headers: headers)
    }
    var response = try await answer(question, at: moment, for: account)
    response.headers.append(contentsOf: headers)
    return response
  }

  /// Answers a question in its JSON form.
  ///
  /// - Throws: ``APIRefusal``, ``Rejection``, or ``JournalError``.
  func answer(_ request: WireRequest, for account: Account.ID) async throws -> WireResponse {
    guard request.headers.mediaType ?? "application/json" == "application/json" else {
      throw APIRefusal.wrongType(["application/json"])
    }
    var response = try await answer(at: QuestionMoment(of: book), for: account) {
      try Request.object(in: request.body)
    }
    response.headers[.cacheControl] = "no-store"
    return response
  }

  private func answer(
    _ question: JSON, at moment: QuestionMoment, for account: Account.ID
  ) async throws -> WireResponse {
    try await answer(at: moment, for: account) { question }
  }

  /// Answers a question when it is the account's turn; a long one is read only then.
  private func answer(
    at moment: QuestionMoment, for account: Account.ID,
    _ question: @escaping @Sendable () throws -> JSON
  ) async throws -> WireResponse {
    let reader = book.reader
    guard let key = moment.state.accounts[account]?.key else { throw Rejection.accountNotFound }
    let body = try await turns.run(for: key) { isWanted in
      do {
        let request = try QuestionRequest(
          question(), of: reader, knowing: moment.state, from: .account(account), at: moment.instant
        )
        var body = AnswerBody(while: isWanted)
        try body.append(Array("{\"ok\":".utf8))
        try request.answer().writePieces { piece throws(any Error) in try body.append(piece) }
        try body.append([UInt8(ascii: "}")])
        return body.bytes
      } catch let rejection as Rejection {
        throw rejection.asSeen(by: .account(account))
      }
    }
    return WireResponse(
      .ok, headers: [.contentType: "application/json; charset=utf-8"], body: body)
  }
}

/// A state of the book and the instant of a question.
struct QuestionMoment: Sendable {
  let state: BookState
  let instant: Instant
  let zones: any TimeZones

  init(of book: Book) {
    let state = book.read { $0 }
    self.state = state
    instant = max(book.now, state.at)
    zones = book.reader.zones
  }
}
