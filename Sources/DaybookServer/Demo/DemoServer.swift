import Avro
import Calendar
import Daybook
import DaybookAuth
import DaybookSamples
import DaybookStore
import Foundation
import HTTPTypes
import Wire

/// A demo server with a made-up book, a key of its own, and an account to sign in to.
public enum DemoServer {
  /// The address with which the book's Ada signs in.
  static let email = "ada@example.com"

  /// Makes the book, and sets what a demo needs where it is not set.
  ///
  /// - Throws: `JournalError` for a disk failure, or ``SettingsError``.
  public static func prepare(_ settings: inout ServerSettings) throws {
    settings.isDevelopment = true
    settings.book =
      FileManager.default.temporaryDirectory.path + "/daybook-server-\(getpid()).daybook"
    if settings.anonymousKey.isEmpty { settings.anonymousKey = "sb_publishable_\(randomWord())" }
    let secret = settings.pepper ?? Array(randomWord().utf8)
    settings.pepper = secret
    let pepper = try Pepper(secret)
    let book = try Book(at: settings.book, pepper: pepper)
    try DemoBook.fill(book, until: BookClock.system.now(), seed: 12)
    let identity = Identity(.email, try pepper.hash(.email, email))
    try book.record(LinkIdentity(identity, isVerified: true), by: Account.ID(1))
  }

  /// The text to print once the server answers: its address, its key, and a working command.
  ///
  /// - Throws: ``SettingsError`` if Ada cannot sign in.
  public static func greeting(
    of server: DaybookServer, at address: String
  ) async throws -> String {
    let token = try await server.demoToken()
    let link = try await server.demoLink()
    let key = server.settings.anonymousKey
    return """
      A demo book: two years of Ada's habits, her hives and her household.

        \(address)/enter?link=\(link)

      Open this link in a browser: it signs you in as Ada, once, within \(linkSeconds / 60) minutes. Afterwards \(address)/enter signs
      in \(email); the codes that would be sent are at \(address)/dev/outbox?to=\(email).

      Her habits, as the apps ask for them:

        curl '\(address)/rest/v1/habits?select=name,emoji,target_per_day' -H 'apikey: \(key)' -H 'Authorization: Bearer \(token)'

      Her day, as Daybook's own clients ask:

        curl '\(address)/v1/ask/today' -H 'Authorization: Bearer \(token)'

      The token is good for an hour, the public key is \(key), and the book is
      \(server.settings.book). Stop with Ctrl-C.
      """
  }

  /// How long the link is good, in seconds.
  static let linkSeconds = 3600

  private static func randomWord() -> String {
    UUID().uuidString.replacingOccurrences(of: "-", with: "").lowercased()
  }
}

extension DaybookServer {
  /// The token of a link that signs the demo's Ada in, once.
  func demoLink() async throws -> String {
    let ada = parts.book.read { state in Account.ID(1).flatMap { state.accounts[$0]?.key } }
    guard let ada else { throw SettingsError("The demo's Ada could not sign in.") }
    return try await parts.auth.visitLink(for: ada, seconds: DemoServer.linkSeconds)
  }

  /// Signs in the demo's Ada, as an app would.
  func demoToken() async throws -> String {
    let code = await demoMessage()?["code"] ?? .null
    let session = await post(
      "verify", ["type": "email", "email": .string(DemoServer.email), "token": code])
    guard let token = session?["access_token"]?.text else {
      throw SettingsError("The demo's Ada could not sign in.")
    }
    return token
  }

  /// Asks for a message to Ada, and reads it.
  private func demoMessage() async -> JSON? {
    let to = DemoServer.email
    _ = await post("otp", ["email": .string(to), "create_user": false])
    let asked = WireRequest(.get, ["outbox"], query: WireQuery([.init("to", to)]))
    return try? JSON(parsing: await parts.development?.answer(asked).body ?? []).elements?.last
  }

  private func post(_ path: String, _ body: JSON) async -> JSON? {
    let request = WireRequest(
      .post, [path], headers: [.contentType: "application/json"], body: Array(body.encoded.utf8))
    return try? JSON(parsing: await parts.auth.answer(request).body)
  }
}
