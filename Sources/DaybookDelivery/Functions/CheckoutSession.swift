import Avro
import Calendar
import Daybook
import DaybookStore
import HTTPTypes
import Logging
import Values
import Wire

/// Starts a checkout at the shop, and answers with its address. Nothing is unlocked: the book records that somebody
/// wanted the paid version, and nothing else (MO-7).
struct CheckoutSession: Sendable {
  /// Two calls within this time count as one, so that an impatient person buys once.
  private static let windowMilliseconds: Int64 = 600_000

  private let book: Book
  private let settings: FunctionSettings
  private let outbound: any Outbound
  private let logger: Logger

  init(
    _ book: Book, _ settings: FunctionSettings, _ outbound: any Outbound, _ logger: Logger
  ) {
    self.book = book
    self.settings = settings
    self.outbound = outbound
    self.logger = logger
  }

  /// `{"price_id":"price_1"}` → `{"url":"https://checkout.stripe.com/…"}`.
  func answer(
    _ body: JSON, _ request: WireRequest, for caller: EdgeFunctions.FunctionCaller
  ) async -> WireResponse {
    guard let price = body["price_id"]?.text, !price.isEmpty else {
      return .functionRefusal(.badRequest, "price_id is required")
    }
    guard price.utf8.count <= 200, price.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
      return .functionRefusal(.badRequest, "price_id is not the id of a price.")
    }
    let id = onceKey(price, caller)
    do { try await noteInterest(in: price, of: caller, id: id) } catch {
      logger.error("interest not recorded", metadata: ["reason": "\(type(of: error))"])
      return .functionRefusal(.internalServerError, Sentences.checkoutFailed)
    }
    guard let checkout = settings.checkout else {
      guard let url = settings.developmentCheckoutURL else {
        logger.error("no shop is set up")
        return .functionRefusal(.badGateway, Sentences.checkoutFailed)
      }
      return WireResponse(.ok, ["url": .string("\(url)/\(id)")])
    }
    return await ask(checkout, price, caller, id)
  }

  private func noteInterest(
    in price: String, of caller: EdgeFunctions.FunctionCaller, id: Key
  ) async throws {
    try await book.record(RequestUpgrade(price: price), by: caller.number, id: id)
  }

  private func ask(
    _ checkout: CheckoutSettings, _ price: String, _ caller: EdgeFunctions.FunctionCaller, _ id: Key
  ) async -> WireResponse {
    var headers: HTTPFields = [
      .authorization: "Bearer \(checkout.secretKey)",
      .contentType: "application/x-www-form-urlencoded",
    ]
    if let name = HTTPField.Name("Idempotency-Key") { headers[name] = id.description }
    let form = PercentCode.query([
      ("mode", checkout.mode), ("line_items[0][price]", price), ("line_items[0][quantity]", "1"),
      ("success_url", checkout.successURL), ("cancel_url", checkout.cancelURL),
      ("client_reference_id", caller.key.description),
    ])
    let answer: WireResponse
    do throws(OutboundFailure) {
      answer = try await outbound.send(
        .post, "\(checkout.apiURL)/v1/checkout/sessions", headers: headers, body: Array(form.utf8))
    } catch {
      logger.error("no answer from the shop")
      return .functionRefusal(.badGateway, Sentences.checkoutFailed)
    }
    let said = try? JSON(parsing: answer.body)
    if answer.status == .ok, let url = said?["url"]?.text, url.hasPrefix("https://") {
      return WireResponse(.ok, ["url": .string(url)])
    }
    let code = said?["error"]?["code"]?.text ?? ""
    logger.error(
      "the shop refused",
      metadata: ["status": "\(answer.status.code)", "code": "\(Self.word(code))"])
    return .functionRefusal(
      .badGateway,
      code == "resource_missing" ? Sentences.unknownPrice : Sentences.checkoutFailed)
  }

  /// A key that is the same for the same purchase within some minutes, so that neither shop nor
  /// book counts it twice.
  private func onceKey(_ price: String, _ caller: EdgeFunctions.FunctionCaller) -> Key {
    let window = settings.now().milliseconds / Self.windowMilliseconds
    // A shop whose settings have changed gets a new checkout.
    let shop = settings.checkout.map { [$0.mode, $0.successURL, $0.cancelURL] } ?? []
    return Key(derivedFrom: ["checkout", caller.key.description, price, "\(window)"] + shop)
  }

  /// The shop's error code, if it looks like one; nothing else that the shop says is repeated.
  private static func word(_ text: String) -> String {
    let isWord = text.utf8.allSatisfy { $0 == 0x5F || (0x61...0x7A).contains($0) }
    return isWord && text.utf8.count <= 64 ? text : "?"
  }
}
