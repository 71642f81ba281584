import Avro
import Calendar
import Daybook
import DaybookAuth
import DaybookDelivery
import DaybookStore
import HTTPTypes
import Testing
import Values
import Wire

@Suite(.tags(.unit)) struct EdgeFunctionTests {
  private let clock = HandClock()
  private let book: Book
  private let outbox = MemoryOutbox()
  private let ada = Key(high: 1, low: 1)

  init() throws {
    let clock = clock
    book = Book.inMemory(clock: BookClock { clock.now })
    try book.record(CreateAccount(key: ada, name: "Ada"))
  }

  private func functions(
    _ outbound: ScriptedOutbound = ScriptedOutbound(),
    _ change: (inout FunctionSettings) -> Void = { _ in }
  ) -> EdgeFunctions {
    var settings = FunctionSettings { [clock] in clock.now }
    settings.checkout = CheckoutSettings(
      secretKey: "sk_test_1", successURL: "https://example.org/?a=b&c d", cancelURL: "app://back")
    change(&settings)
    return EdgeFunctions(
      book, outbox: outbox, outbound: outbound, settings: settings, logger: silence
    ) { [ada] key in key == ada ? "ada@example.org" : nil }
  }

  private func call(
    _ functions: EdgeFunctions, _ name: String, _ body: String, as account: Key?? = nil,
    headers: HTTPFields = HTTPFields(), method: HTTPRequest.Method = .post
  ) async -> (status: Int, body: JSON) {
    let request = WireRequest(method, [name], headers: headers, body: Array(body.utf8))
    let answer = await functions.answer(request, name: name, for: account ?? ada)
    return (answer.status.code, (try? JSON(parsing: answer.body)) ?? .null)
  }

  private func checkout(
    _ functions: EdgeFunctions, _ body: String = #"{"price_id":"price_1"}"#
  ) async -> (status: Int, body: JSON) {
    await call(functions, "create-checkout-session", body)
  }

  private static func shop(
    _ status: HTTPResponse.Status, _ body: JSON
  ) -> ScriptedOutbound { ScriptedOutbound(.success(WireResponse(status, body))) }

  private var interest: Int? {
    book.read { state in
      state.accounts.number(of: ada).flatMap {
        state.accounts[$0]?.upgradeInterest.map { Int($0.count) }
      }
    }
  }

  @Test func `a checkout is started at the shop, and interest is recorded (MO-7)`() async throws {
    let outbound = Self.shop(.ok, ["id": "cs_1", "url": "https://checkout.stripe.com/c/1"])
    let functions = functions(outbound)
    let answer = await checkout(functions)
    #expect(answer.status == 200)
    #expect(answer.body == ["url": "https://checkout.stripe.com/c/1"])
    let request = try #require(outbound.requests.first)
    #expect(request.url == "https://api.stripe.com/v1/checkout/sessions")
    #expect(request.header("authorization") == "Bearer sk_test_1")
    #expect(
      request.body == "mode=subscription&line_items%5B0%5D%5Bprice%5D=price_1"
        + "&line_items%5B0%5D%5Bquantity%5D=1"
        + "&success_url=https%3A%2F%2Fexample.org%2F%3Fa%3Db%26c%20d&cancel_url=app%3A%2F%2Fback"
        + "&client_reference_id=\(ada)")
    #expect(interest == 1)
    // A double tap makes one checkout and one record of interest.
    _ = await checkout(functions)
    #expect(Set(outbound.requests.map { $0.header("idempotency-key") }).count == 1)
    #expect(interest == 1)
    clock.advance(milliseconds: 600_000)
    _ = await checkout(functions)
    #expect(Set(outbound.requests.map { $0.header("idempotency-key") }).count == 2)
    #expect(interest == 2)
  }

  @Test(arguments: ["", "{}", #"{"price_id":""}"#, #"{"price_id":null}"#, #"{"price_id":5}"#])
  func `a request without a price is refused (MO-7)`(_ body: String) async {
    let outbound = ScriptedOutbound()
    let answer = await checkout(functions(outbound), body)
    #expect(answer.status == 400)
    #expect(answer.body == ["error": "price_id is required"])
    #expect(outbound.requests.isEmpty)
    #expect(interest == nil)
  }

  @Test(arguments: [
    "[]", "nonsense", "{", "\u{0}", #"{"price_id":"a\nb"}"#, #"{"price_id":"é"}"#,
    #"{"price_id":"\#(String(repeating: "x", count: 201))"}"#,
  ])
  func `a malformed request is refused`(_ body: String) async {
    let answer = await checkout(functions(), body)
    #expect(answer.status == 400)
    #expect(answer.body["error"]?.text != nil)
  }

  @Test func `a failure at the shop is reported in a sentence, and unlocks nothing (MO-7)`() async {
    let refusals: [(ScriptedOutbound, String)] = [
      (
        Self.shop(
          .badRequest,
          ["error": ["code": "resource_missing", "message": "No such price: 'price_1'"]]),
        "This price is not offered any more."
      ),
      (Self.shop(.unauthorized, ["error": ["message": "Invalid API Key: sk_test_1"]]), ""),
      (Self.shop(.internalServerError, .null), ""), (Self.shop(.ok, ["url": "http://x"]), ""),
      (Self.shop(.ok, [:]), ""),
      (ScriptedOutbound(.success(WireResponse(.ok, body: [0xFF]))), ""),
      (ScriptedOutbound(.failure(OutboundFailure("sk_test_1 timed out"))), ""),
    ]
    for (outbound, sentence) in refusals {
      let answer = await checkout(functions(outbound))
      #expect(answer.status == 502)
      let expected =
        sentence.isEmpty
        ? "The checkout could not be opened. Nothing was charged; try again later." : sentence
      #expect(answer.body == ["error": .string(expected)])
    }
  }

  @Test func `without a shop a development server redirects, and a production server refuses`()
    async
  {
    let development = functions {
      $0.checkout = nil
      $0.developmentCheckoutURL = "https://checkout.localhost"
    }
    let answer = await checkout(development)
    #expect(answer.status == 200)
    #expect(answer.body["url"]?.text?.hasPrefix("https://checkout.localhost/") == true)
    #expect(await checkout(functions { $0.checkout = nil }).status == 502)
  }

  @Test func `an unknown function, or one called without a session, is refused`() async throws {
    let functions = functions()
    #expect(await call(functions, "unknown", "{}").status == 404)
    #expect(await call(functions, "unknown", "{}", as: .some(nil)).status == 404)
    for name in ["create-checkout-session", "send-email"] {
      let nobody = await call(functions, name, "{}", as: .some(nil))
      #expect(nobody.status == 401)
      #expect(nobody.body["error"]?.text != nil)
      #expect(await call(functions, name, "{}", as: Key(high: 9, low: 9)).status == 401)
      #expect(
        await call(functions, name, String(repeating: " ", count: 200_001)).status == 413)
    }
  }

  @Test(arguments: [.get, .put, .patch, .delete, .post] as [HTTPRequest.Method])
  func `a function accepts any method (DG-10)`(method: HTTPRequest.Method) async {
    let functions = functions()
    let mail = #"{"subject":"Your week","text":"Five days of seven."}"#
    #expect(await call(functions, "send-email", mail, method: method).status == 200)
    let bare = await call(functions, "create-checkout-session", "", method: method)
    #expect(bare.status == 400)
    #expect(bare.body == ["error": "price_id is required"])
  }

  @Test func `a mail goes to the caller's own address (DG-10)`() async throws {
    let answer = await call(
      functions(), "send-email", #"{"subject":"Your week","text":"Five days of seven."}"#)
    #expect(answer.status == 200)
    let message = try #require(outbox.messages.first)
    #expect(answer.body == ["id": .string(message.id.description)])
    #expect(message.recipient == "ada@example.org")
    #expect(message.template == "note")
    #expect(message.payload == ["subject": "Your week", "text": "Five days of seven."])
    let own = await call(
      functions(), "send-email", #"{"to":"ADA@example.org","template":"welcome"}"#)
    #expect(own.status == 200)
    #expect(outbox.messages.last?.recipient == "ada@example.org")
  }

  @Test func `only open templates may be sent to other people`() async {
    let welcome = #"{"to":"eve@example.org","template":"welcome","data":{"name":"Eve"}}"#
    let note = #"{"to":"eve@example.org","subject":"Hello","text":"Buy!"}"#
    #expect(await call(functions(), "send-email", welcome).status == 403)
    #expect(await call(functions(), "send-email", note).status == 403)
    let open = functions { $0.openTemplates = ["welcome", "note"] }
    #expect(await call(open, "send-email", welcome).status == 200)
    #expect(await call(open, "send-email", note).status == 403)
    let bad = #"{"to":"eve@example.org\r\nBcc: x@y.z","template":"welcome"}"#
    #expect(await call(open, "send-email", bad).status == 400)
    #expect(outbox.messages.map(\.recipient) == ["eve@example.org"])
  }

  @Test(arguments: [
    "{}", #"{"subject":"x"}"#, #"{"text":"x"}"#, #"{"subject":"a\r\nBcc: b","text":"x"}"#,
    #"{"template":"otp","data":{"code":"1"}}"#, #"{"template":"note","data":{"subject":"x"}}"#,
    #"{"template":"welcome","data":5}"#, #"{"subject":5,"text":[]}"#,
  ])
  func `an empty mail, or one that speaks for the server, is refused`(_ body: String) async {
    #expect(await call(functions(), "send-email", body).status == 400)
    #expect(outbox.messages.isEmpty)
  }

  @Test func `mails are limited by account and hour, and a repeated mail is sent once`() async {
    let functions = functions { $0.mailsPerHour = 3 }
    let body = #"{"subject":"x","text":"y"}"#
    var headers = HTTPFields()
    if let name = HTTPField.Name("Idempotency-Key") { headers[name] = "once" }
    let first = await call(functions, "send-email", body, headers: headers)
    let again = await call(functions, "send-email", body, headers: headers)
    #expect(first.body == again.body)
    #expect(outbox.messages.count == 1)
    #expect(await call(functions, "send-email", body).status == 200)
    #expect(await call(functions, "send-email", body).status == 429)
    clock.advance(milliseconds: 3_600_000)
    #expect(await call(functions, "send-email", body).status == 200)
  }

  @Test func `a mail that cannot be queued is refused with a time to retry (DG-10)`() async {
    let functions = EdgeFunctions(
      book, outbox: BrokenOutbox(), outbound: ScriptedOutbound(),
      settings: FunctionSettings { [clock] in clock.now }, logger: silence
    ) { _ in "ada@example.org" }
    let body = #"{"subject":"Your week","text":"Five days of seven."}"#
    let answer = await functions.answer(
      WireRequest(.post, ["send-email"], body: Array(body.utf8)), name: "send-email", for: ada)
    #expect(answer.status == .serviceUnavailable && answer.headers[.retryAfter] == "1")
    #expect((try? JSON(parsing: answer.body))?["error"]?.text != nil)
  }
}
