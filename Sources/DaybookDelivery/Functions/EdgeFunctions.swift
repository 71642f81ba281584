import Avro
import Daybook
public import DaybookStore
import HTTPTypes
public import Logging
public import Values
public import Wire

/// The functions that apps call by name under `/functions/v1`: start a checkout (MO-7), send a mail (DG-10).
///
/// Any HTTP method will do. An answer is JSON: the result, or `{"error": …}` with a sentence for people.
public struct EdgeFunctions: Sendable {
  private let book: Book
  private let checkout: CheckoutSession
  private let mail: MailRequest

  /// Makes the functions.
  ///
  /// - Parameters:
  ///   - book: The book of accounts.
  ///   - outbox: The outbox for mails.
  ///   - outbound: Sends requests to other servers.
  ///   - settings: The settings.
  ///   - logger: The log of failures, without personal data.
  ///   - emailOf: The proven e-mail address of an account, if it has one.
  public init(
    _ book: Book, outbox: any Outbox, outbound: any Outbound, settings: FunctionSettings,
    logger: Logger, emailOf: @escaping @Sendable (Key) async -> String?
  ) {
    self.book = book
    checkout = CheckoutSession(book, settings, outbound, logger)
    mail = MailRequest(outbox, settings, logger, emailOf)
  }

  /// Answers a call.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - name: The function's name.
  ///   - account: The account that is signed in.
  /// - Returns: The answer: 404 for an unknown name, 401 without an account.
  public func answer(
    _ request: WireRequest, name: String, for account: Key?
  ) async -> WireResponse {
    let function: @Sendable (JSON, WireRequest, FunctionCaller) async -> WireResponse
    switch name {
    case "create-checkout-session": function = checkout.answer
    case "send-email": function = mail.answer
    default: return .functionRefusal(.notFound, "There is no such function.")
    }
    guard let account, let number = book.read({ $0.accounts.present(account) }) else {
      return .functionRefusal(.unauthorized, "Sign in first.")
    }
    guard request.body.count <= 200_000 else {
      return .functionRefusal(.contentTooLarge, "The body is too large.")
    }
    guard let body = request.body.isEmpty ? [:] : try? JSON(parsing: request.body),
      body.members != nil
    else { return .functionRefusal(.badRequest, "The body is not a JSON object.") }
    return await function(body, request, FunctionCaller(key: account, number: number))
  }

  struct FunctionCaller: Sendable {
    let key: Key
    let number: Account.ID
  }
}
