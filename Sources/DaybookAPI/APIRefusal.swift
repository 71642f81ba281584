import Avro
import Daybook
import DaybookStore
public import HTTPTypes
public import Wire

/// Why a request is refused: `{"error":{"code":"not_owner","message":"…","field":"habit"}}`.
public struct APIRefusal: Error, Hashable, Sendable, CustomStringConvertible {
  /// The status.
  public let status: HTTPResponse.Status
  /// A stable name in snake_case; of rules of the book, that of `daybook rejections`.
  public let code: String
  /// The field that it is about, if it is about one.
  public let field: String?
  /// One sentence: what is wrong, and mostly what to do instead.
  public let description: String
  /// Which command of a batch it is about, from 0.
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

  /// The refusal as an answer.
  public var response: WireResponse {
    var members: [JSON.Member] = [
      .init("code", .string(code)), .init("message", .string(description)),
    ]
    if let field { members.append(.init("field", .string(field))) }
    if let index { members.append(.init("index", .number(index))) }
    var response = WireResponse(status, ["error": .object(members)])
    response.headers.append(contentsOf: headers)
    response.headers[.cacheControl] = "no-store"
    return response
  }
}

extension APIRefusal {
  /// Any error as what is told of it: nobody is told where the book lies, or what is wrong with its disk.
  init(_ error: any Error) {
    switch error {
    case let refusal as APIRefusal: self = refusal
    case let rejection as Rejection: self.init(rejection)
    case is TurnQueue.Full: self = .tooManyQuestions
    case is CancellationError: self = .givenUp
    case let refusal as LineRefusal:
      self.init(refusal.outcome)
      index = refusal.index
    default: self = .unavailable
    }
  }

  /// A refusal by the rules.
  init(_ rejection: Rejection) {
    self.init(
      rejection.kind.status, rejection.code, field: rejection.field, rejection.description)
  }

  /// What came of a command that was refused.
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

  /// There is nothing at the path.
  static let noSuchPath = APIRefusal(
    .notFound, "path_not_found", "There is nothing here; openapi.json says what there is.")

  /// The path has other methods.
  static func wrongMethod(_ methods: [HTTPRequest.Method]) -> APIRefusal {
    let names = methods.map(\.rawValue).joined(separator: ", ")
    var refusal = APIRefusal(
      .methodNotAllowed, "method_not_allowed", "This path is asked with \(names).")
    refusal.headers[.allow] = names
    return refusal
  }

  /// The body is longer than is taken.
  static func bodyTooLong(_ byteCount: Int) -> APIRefusal {
    APIRefusal(
      .contentTooLarge, "body_too_long",
      "The body is longer than \(byteCount) bytes; send less at once.")
  }

  /// The answer is longer than is given at once.
  static let answerTooLong = APIRefusal(
    .contentTooLarge, "answer_too_long",
    "The answer is longer than \(Limit.maximumAnswerByteCount >> 20) MiB; ask for less at once.")

  /// More commands than are taken at once.
  static func tooManyCommands(_ count: Int) -> APIRefusal {
    APIRefusal(
      .contentTooLarge, "too_many_commands", "More than \(count) commands; send fewer at once.")
  }

  /// Whoever asked went away, or said that they would send no more.
  static let givenUp = APIRefusal(
    .requestTimeout, "given_up", "The question was given up, for the client closed its side.")

  /// An account has as many questions waiting as it may.
  static let tooManyQuestions: APIRefusal = {
    var refusal = APIRefusal(
      .tooManyRequests, "too_many_questions",
      "More than \(TurnQueue.mostPerAccount) questions wait for their answers; ask again when some are there."
    )
    refusal.headers[.retryAfter] = "1"
    return refusal
  }()

  /// The body is of another type.
  static func wrongType(_ types: [String]) -> APIRefusal {
    APIRefusal(
      .unsupportedMediaType, "unsupported_type",
      "Content-Type: the body is sent as \(types.joined(separator: " or ")).")
  }

  /// A header, or a field of the query, does not say what it should.
  static func invalid(_ field: String, _ reason: String) -> APIRefusal {
    APIRefusal(
      .badRequest, RejectionCode.invalidField.rawValue, field: field, "\(field): \(reason).")
  }

  /// Events come as a stream, which whoever carries requests asks for by another way.
  static let streamed = APIRefusal(
    .notAcceptable, "stream_only", "Events come as a stream, which is not to be had here.")

  /// The book cannot be read or written.
  static let unavailable = APIRefusal(
    .serviceUnavailable, "unavailable",
    "The book cannot be read or written just now; ask again under the same idempotency key.")
}

extension Rejection.Kind {
  /// The status of a refusal of this kind.
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
