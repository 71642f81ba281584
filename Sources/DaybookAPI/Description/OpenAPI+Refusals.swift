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
      case .wrongType: .unsupportedMediaType
      case .invalid: .unprocessableContent
      case .tooMany: .tooManyRequests
      case .unavailable: .serviceUnavailable
      }
    }

    /// A sentence that says when it is answered.
    var words: String {
      switch self {
      case .malformed: "What was sent is no command or question, or not in its form."
      case .notSignedIn: "Nobody is signed in."
      case .forbidden: "It is there, and not for the one who asks."
      case .notFound: "What is named is not there, or not to be seen by the one who asks."
      case .notStreamed: "Streams are not to be had here."
      case .conflict: "It does not go with what the book holds: look again, and ask otherwise."
      case .tooLong: "More is sent than is taken at once, or asked for than is answered at once."
      case .wrongType: "The body is of a type that is not taken."
      case .invalid: "A value cannot be, is more than is taken, or it is too early or too late."
      case .tooMany: "The account has as much waiting or open as it may."
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
