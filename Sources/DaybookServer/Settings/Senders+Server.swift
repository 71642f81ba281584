import Calendar
import Configuration
import DaybookAuth
import DaybookDelivery
import DaybookStore
import Wire

/// The senders of messages, from a server's settings. A channel that is not set up sends nothing, and its messages
/// become dead letters that can be sent later.
enum Senders {
  /// Makes the senders.
  ///
  /// - Throws: ``SettingsError``.
  static func all(
    _ settings: ServerSettings, _ book: Book, _ outbound: any Outbound,
    now: @escaping @Sendable () -> Instant
  ) throws(SettingsError) -> [OutboxMessage.Channel: any MessageSender] {
    if settings.isDevelopment {
      return Dictionary(
        uniqueKeysWithValues: OutboxMessage.Channel.allCases.map { ($0, DevelopmentSender()) })
    }
    var senders: [OutboxMessage.Channel: any MessageSender] = [:]
    do throws(SenderSettingsError) {
      if let mail = try mail(settings.reader) {
        senders[.email] = try MailSender(mail, now: now)
      }
      let text = settings.reader.scoped(to: "sms")
      if let url = text.string(forKey: "url") {
        guard let secret = try secret(text, "secret") else {
          throw SenderSettingsError(
            "sms needs secretFile beside url, so that the receiver can check who sends")
        }
        senders[.sms] = try TextMessageSender(url: url, secret: secret, outbound: outbound)
      }
      if let push = try push(settings.reader.scoped(to: "push")) {
        senders[.push] = try PushSender(book, push, outbound: outbound, now: now)
      }
    } catch { throw SettingsError(error.description) }
    return senders
  }

  private static func mail(_ all: ConfigReader) throws(SenderSettingsError) -> MailSettings? {
    let reader = all.scoped(to: "mail")
    guard let host = reader.string(forKey: "host") else { return nil }
    let name = reader.string(forKey: "user")
    let password = try secret(reader, "password")
    guard (name == nil) == (password == nil) else {
      throw SenderSettingsError("mail needs user and passwordFile, or neither")
    }
    let word = reader.string(forKey: "security", default: "starttls")
    let security: MailSettings.Security
    switch word {
    case "starttls": security = .startTLS
    case "tls": security = .implicitTLS
    case "none": security = .none
    default: throw SenderSettingsError("mail.security is starttls, tls or none, not \(word)")
    }
    let port: Int
    do throws(SettingsError) {
      port = try all.number(
        "mail.port", in: 1...65_535, default: security == .implicitTLS ? 465 : 587)
    } catch { throw SenderSettingsError(error.description) }
    var settings = try MailSettings(
      host: host, port: port,
      security: security,
      credentials: name.flatMap { name in
        password.map { MailSettings.Credentials(name: name, password: $0) }
      }, sender: reader.string(forKey: "sender", default: ""))
    settings.senderName = reader.string(forKey: "senderName", default: "Daybook")
    settings.greeting = reader.string(forKey: "greeting", default: "localhost")
    settings.trustedCertificates = reader.string(forKey: "trustedCertificates")
    return settings
  }

  private static func push(_ reader: ConfigReader) throws(SenderSettingsError) -> PushSettings? {
    guard let topic = reader.string(forKey: "topic") else { return nil }
    guard let team = reader.string(forKey: "team"), let key = reader.string(forKey: "key"),
      let privateKey = try secret(reader, "privateKey")
    else { throw SenderSettingsError("push needs topic, team, key and privateKeyFile") }
    return PushSettings(team: team, keyID: key, privateKey: privateKey, topic: topic)
  }

  private static func secret(
    _ reader: ConfigReader, _ name: String
  ) throws(SenderSettingsError) -> String? {
    do throws(SettingsError) { return try SecretSetting(reader, name).text } catch {
      throw SenderSettingsError(error.description)
    }
  }
}

extension FunctionSettings {
  /// The settings of functions, from a server's settings.
  ///
  /// - Throws: ``SettingsError`` if a secret's file cannot be read.
  init(
    _ settings: ServerSettings, now: @escaping @Sendable () -> Instant
  ) throws(SettingsError) {
    self.init(now: now)
    let reader = settings.reader.scoped(to: "checkout")
    let site = settings.site
    if let key = try SecretSetting(reader, "stripeKey").text {
      checkout = CheckoutSettings(
        secretKey: key, successURL: reader.string(forKey: "successURL", default: site),
        cancelURL: reader.string(forKey: "cancelURL", default: site))
    }
    if settings.isDevelopment { developmentCheckoutURL = "https://checkout.invalid/session" }
  }
}
