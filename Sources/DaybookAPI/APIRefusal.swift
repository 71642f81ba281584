import Avro
import Daybook
import DaybookStore
public import HTTPTypes
public import Wire

/// The reason for refusing a request:
/// `{"error":{"code":"not_owner","message":"…","field":"habit"}}`.
public struct APIRefusal: Error, Hashable, Sendable, CustomStringConvertible {
  /// The status.
  public let status: HTTPResponse.Status
  /// A stable name in snake_case; for a rejection by the book's rules, the code in `daybook
  /// rejections`.
  public let code: String
  /// The field at fault, if there is one.
  public let field: String?
  /// One sentence: what is wrong, and usually what to do instead.
  public let description: String
  /// The index of the refused command in its batch, from 0.
  var index: Int?
  private var headers: HTTPFields = [:]

  init(
    _ status: HTTPResponse.Status, _ code: String, field: String? = nil, _ description: String
  ) {
    self.status = status
    self.code = code
    self.field = field
    self.description = description
  }

  /// The refusal as a response.
  public var response: WireResponse {
    var further: [JSON.Member] = []
    if let field { further.append(.init("field", .string(field))) }
    if let index { further.append(.init("index", .number(index))) }
    var response = WireResponse.apiRefusal(status, code, description, further: further)
    response.headers.append(contentsOf: headers)
    response.headers[.cacheControl] = "no-store"
    return response
  }
}

extension APIRefusal {
  /// Any error as a refusal, without the book's location or the details of its disk failures.
  init(_ error: any Error) {
    switch error {
    case let refusal as APIRefusal: self = refusal
    case let rejection as Rejection: self.init(rejection)
    case let error as ExchangeError: self.init(error)
    case is TurnQueue.Full: self = .tooManyQuestions
    case is CancellationError: self = .givenUp
    case let refusal as LineRefusal:
      self.init(refusal.outcome)
      index = refusal.index
    default: self = .unavailable
    }
  }

  /// A rejection by the book's rules.
  init(_ rejection: Rejection) {
    self.init(
      rejection.kind.status, rejection.code, field: rejection.field, rejection.description)
  }

  /// The outcome of a rejected command.
  init(_ outcome: RequestOutcome) {
    let error = outcome.json["error"]
    let code = error?["code"]?.text ?? ""
    self.init(
      RejectionCode(rawValue: code)?.kind.status ?? .unprocessableContent, code,
      field: error?["field"]?.text, error?["message"]?.text ?? "")
  }

  /// Nobody is signed in.
  static let notSignedIn: APIRefusal = {
    var refusal = APIRefusal(
      .unauthorized, RejectionCode.actorMissing.rawValue,
      "Sign in, and send the token as Authorization: Bearer ….")
    refusal.headers[.wwwAuthenticate] = "Bearer"
    return refusal
  }()

  /// The path does not exist.
  static let noSuchPath = APIRefusal(
    .notFound, "path_not_found", "There is no such path; openapi.json lists the paths.")

  /// The path does not allow the method.
  static func wrongMethod(_ methods: [HTTPRequest.Method]) -> APIRefusal {
    let names = methods.map(\.rawValue).joined(separator: ", ")
    var refusal = APIRefusal(
      .methodNotAllowed, "method_not_allowed", "This path takes only \(names).")
    refusal.headers[.allow] = names
    return refusal
  }

  /// The request's target is too long.
  package static let targetTooLong = APIRefusal(
    .uriTooLong, "target_too_long", "The request's target is too long; ask for less at once.")

  /// The request's target and headers together are too long.
  package static let headTooLong = APIRefusal(
    .requestHeaderFieldsTooLarge, "head_too_long",
    "The request's target and headers are too long; send less of them.")

  /// The head of the request cannot be read.
  package static let malformedHead = APIRefusal(
    .badRequest, "malformed_request", "The request is not valid HTTP/1.1.")

  /// The body is too long.
  static func bodyTooLong(_ byteCount: Int) -> APIRefusal {
    APIRefusal(
      .contentTooLarge, "body_too_long",
      "The body is longer than \(byteCount) bytes; send less at once.")
  }

  /// The answer is too long.
  static let answerTooLong = APIRefusal(
    .contentTooLarge, "answer_too_long",
    "The answer is longer than \(Limit.maximumAnswerByteCount >> 20) MiB; ask for less at once.")

  /// The request has too many commands.
  static func tooManyCommands(_ count: Int) -> APIRefusal {
    APIRefusal(
      .contentTooLarge, "too_many_commands", "More than \(count) commands; send fewer at once.")
  }

  /// The client went away, or closed its sending side.
  static let givenUp = APIRefusal(
    .requestTimeout, "given_up", "The question was abandoned, because the client closed its side.")

  /// An account has too many questions waiting.
  static let tooManyQuestions: APIRefusal = {
    var refusal = APIRefusal(
      .tooManyRequests, "too_many_questions",
      "More than \(TurnQueue.mostPerAccount) questions are waiting; ask again when some are "
        + "answered."
    )
    refusal.headers[.retryAfter] = "1"
    return refusal
  }()

  /// The body has the wrong media type.
  static func wrongType(_ types: [String]) -> APIRefusal {
    APIRefusal(
      .unsupportedMediaType, "unsupported_type",
      "Content-Type: send the body as \(types.joined(separator: " or ")).")
  }

  /// A page of another site sent the request.
  static let foreignOrigin = APIRefusal(
    .forbidden, "foreign_origin",
    "Assistants are not served to pages of other sites: Origin is not this server's.")

  /// A header or a field of the query is invalid.
  static func invalid(_ field: String, _ reason: String) -> APIRefusal {
    APIRefusal(
      .badRequest, RejectionCode.invalidField.rawValue, field: field, "\(field): \(reason).")
  }

  /// Events are only available as a stream, through another call.
  static let streamed = APIRefusal(
    .notAcceptable, "stream_only", "Events come only as a stream, which this call does not offer.")

  /// The book cannot be read or written.
  static let unavailable = APIRefusal(
    .serviceUnavailable, "unavailable",
    "The book cannot be read or written just now; ask again with the same idempotency key.")
}

extension Rejection.Kind {
  /// The status for a rejection of this kind.
  var status: HTTPResponse.Status {
    switch self {
    case .malformed: .badRequest
    case .unauthenticated: .unauthorized
    case .forbidden: .forbidden
    case .notFound: .notFound
    case .conflict: .conflict
    case .invalid, .limit, .untimely: .unprocessableContent
    }
  }
}
