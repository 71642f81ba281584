import Daybook
public import DaybookStore
import HTTPTypes
import Journal
public import Values
public import Wire

/// Answers what clients of Daybook's own ask of `/v1`: commands, questions, events, and the document that describes
/// them.
///
/// It carries nothing itself: whoever has a connection gives it requests, with the account that signed in.
public struct ClientAPI: Sendable {
  /// The book.
  public let book: Book
  /// How long a body may be, in bytes.
  public let bodyByteCount: Int
  /// How often a stream of events says that it is still there.
  public let heartbeat: Duration
  /// Questions have their turns here: some are answered from all that was ever recorded.
  let turns = TurnQueue(width: activeProcessorCount)

  public init(
    book: Book, bodyByteCount: Int = 16_777_216, heartbeat: Duration = .seconds(15)
  ) {
    self.book = book
    self.bodyByteCount = bodyByteCount
    self.heartbeat = heartbeat
  }

  /// Answers a request whose path stands behind `/v1`; whatever is asked, there is an answer.
  ///
  /// - Parameters:
  ///   - request: What is asked. That of `GET events` goes to ``events(_:for:)``.
  ///   - account: The key of the account that signed in; nothing when nobody did.
  /// - Returns: The answer.
  public func answer(_ request: WireRequest, for account: Key?) async -> WireResponse {
    var response: WireResponse
    do {
      response = try await route(request, account)
    } catch {
      response = APIRefusal(error).response
    }
    if request.method == .head { response.body = [] }
    return response
  }

  private func route(_ request: WireRequest, _ account: Key?) async throws -> WireResponse {
    let endpoint = try Endpoint(of: request)
    if endpoint == .description { return describe(request) }
    let asker = try signedIn(account)
    guard request.body.count <= bodyByteCount else {
      throw APIRefusal.bodyTooLong(bodyByteCount)
    }
    switch endpoint {
    case .commands: return try await carryOut(request, by: asker)
    case .question(let name): return try await answer(to: name, request, for: asker)
    case .questions: return try await answer(request, for: asker)
    case .events, .description: throw APIRefusal.streamed
    }
  }

  /// The account that signed in.
  ///
  /// - Throws: ``APIRefusal``, or ``Rejection/accountNotFound`` for one that is not there, or was erased.
  func signedIn(_ key: Key?) throws -> Account.ID {
    guard let key else { throw APIRefusal.notSignedIn }
    return try book.read { state in
      guard let number = state.accounts.present(key) else { throw Rejection.accountNotFound }
      return number
    }
  }
}

/// What a request is about.
enum Endpoint: Hashable {
  case commands
  case question(String)
  case questions
  case events
  case description

  /// Finds what a request is about.
  ///
  /// - Throws: ``APIRefusal`` for a path that is none, and for a method that the path does not have.
  init(of request: WireRequest) throws(APIRefusal) {
    switch request.path {
    case ["commands"]: self = .commands
    case ["ask"]: self = .questions
    case ["events"]: self = .events
    case ["openapi.json"]: self = .description
    case let path where path.count == 2 && path[0] == "ask": self = .question(path[1])
    default: throw .noSuchPath
    }
    guard methods.contains(request.method) else { throw .wrongMethod(methods) }
  }

  private var methods: [HTTPRequest.Method] {
    switch self {
    case .commands, .questions: [.post]
    case .question, .events, .description: [.get, .head]
    }
  }
}
