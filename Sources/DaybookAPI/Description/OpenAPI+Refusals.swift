import HTTPTypes

extension OpenAPI {
  /// The refusals in the description, each with its status.
  enum Refusal: String, CaseIterable {
    case malformed = "Malformed"
    case notSignedIn = "NotSignedIn"
    case forbidden = "Forbidden"
    case notFound = "NotFound"
    case notStreamed = "NotStreamed"
    case conflict = "Conflict"
    case tooLong = "TooLong"
    case targetTooLong = "TargetTooLong"
    case headTooLong = "HeadTooLong"
    case wrongType = "WrongType"
    case invalid = "Invalid"
    case tooMany = "TooMany"
    case unavailable = "Unavailable"

    var status: HTTPResponse.Status {
      switch self {
      case .malformed: .badRequest
      case .notSignedIn: .unauthorized
      case .forbidden: .forbidden
      case .notFound: .notFound
      case .notStreamed: .notAcceptable
      case .conflict: .conflict
      case .tooLong: .contentTooLarge
      case .targetTooLong: .uriTooLong
      case .headTooLong: .requestHeaderFieldsTooLarge
      case .wrongType: .unsupportedMediaType
      case .invalid: .unprocessableContent
      case .tooMany: .tooManyRequests
      case .unavailable: .serviceUnavailable
      }
    }

    /// A sentence that says when it is answered.
    var words: String {
      switch self {
      case .malformed: "The request is not a command or a question, or not in the right form."
      case .notSignedIn: "Nobody is signed in."
      case .forbidden: "It exists, but the account may not do this."
      case .notFound: "It does not exist, or the account may not see it."
      case .notStreamed: "Streams are not available here."
      case .conflict: "It conflicts with what the book holds: read again, and change the request."
      case .tooLong: "The request or its answer is too large."
      case .targetTooLong: "The request's target is too long."
      case .headTooLong: "The request's target and headers together are too long."
      case .wrongType: "The type of the body is not supported."
      case .invalid: "A value is not valid, is over a limit, or is too early or too late."
      case .tooMany: "The account has too many requests waiting, or too many streams open."
      case .unavailable: "The book cannot be read or written just now."
      }
    }

    /// An example of its code and message.
    var example: (String, String) {
      switch self {
      case .malformed:
        ("invalid_json", "The line is not valid JSON at byte 0: no value begins like this.")
      case .notSignedIn: Self.said(.notSignedIn)
      case .forbidden: ("not_owner", "Only its owner may do that to a hive.")
      case .notFound: ("habit_not_found", "There is no such habit.")
      case .notStreamed: Self.said(.streamed)
      case .conflict:
        (
          "key_taken",
          "The key 0195b3a0-0000-7000-8000-000000000001 already names something else."
        )
      case .tooLong: Self.said(.bodyTooLong(16_777_216))
      case .targetTooLong: Self.said(.targetTooLong)
      case .headTooLong: Self.said(.headTooLong)
      case .wrongType: Self.said(.wrongType(["application/json", "application/jsonl"]))
      case .invalid:
        (
          "future_day",
          "2026-03-05 has not come yet (today is 2026-03-04); log it on the day."
        )
      case .tooMany: Self.said(.tooManyQuestions)
      case .unavailable: Self.said(.unavailable)
      }
    }

    private static func said(_ refusal: APIRefusal) -> (String, String) {
      (refusal.code, refusal.description)
    }
  }
}
