public import Calendar
import DaybookStore
import Foundation

/// How people sign in at a server.
public struct AuthSettings: Sendable {
  /// Where the server is reached, without a slash at the end: links in mails begin with it.
  public var siteURL: String
  /// Who says what access tokens say: their `iss`.
  public var issuer: String
  /// Where a browser is sent that named no place, or none that is allowed.
  public var defaultRedirect: String
  /// Where browsers may be sent; see ``RedirectList`` for the patterns.
  public var redirects: [String]
  /// Whether who signs up with a password must prove the address first.
  public var confirmsAddresses = true
  /// How long an access token is good; 300 or more, for clients refresh some minutes before.
  public var tokenSeconds = 3600
  /// How long a one-time code is good.
  public var codeSeconds = 600
  /// How long a used refresh token still answers the one that followed it.
  public var refreshGraceSeconds = 10
  /// After how many days access tokens are signed with a fresh key.
  public var signingKeyDays = 30
  /// The app ids for which tokens of Apple's may be made out; none refuses Apple.
  public var appleClients: [String] = []
  /// The client ids for which tokens of Google's may be made out, that of the browser first; none refuses Google.
  public var googleClients: [String] = []
  /// Google's secret for the first of its client ids; without it nobody signs in by browser.
  public var googleSecret: String?
  /// The project's public key: a bearer equal to it is nobody.
  public var anonymousKey: String?
  /// Whether mails can be read and tokens made without any provider: for tests, never for people.
  public var isDevelopment: Bool
  /// How often what may be asked.
  public var limits: AuthLimits
  /// The cost of a password's hash, as a power of two (scrypt's N).
  public var passwordCost = 15
  /// The time now.
  public var now: @Sendable () -> Instant = { Instant(Date()) }

  /// Makes settings.
  ///
  /// - Parameters:
  ///   - siteURL: Where the server is reached.
  ///   - redirects: Where browsers may be sent.
  ///   - isDevelopment: Whether this is no server for people.
  public init(siteURL: String, redirects: [String] = [], isDevelopment: Bool = false) {
    let site = siteURL.hasSuffix("/") ? String(siteURL.dropLast()) : siteURL
    self.siteURL = site
    issuer = site + "/auth/v1"
    defaultRedirect = site
    self.redirects = redirects
    self.isDevelopment = isDevelopment
    limits = isDevelopment ? .development : AuthLimits()
  }
}

extension AuthSettings {
  /// Whether a text can say where browsers may be sent.
  public static func isRedirect(_ pattern: String) -> Bool { RedirectList.isPattern(pattern) }

  /// Whether a browser can be sent to an address.
  public static func isAddress(_ text: String) -> Bool { RedirectList.isTarget(text) }
}

/// How often what may be asked, so that nobody guesses codes and passwords, or has others sent messages without end.
public struct AuthLimits: Sendable {
  /// How many messages a phone or an address is sent in an hour.
  public var messagesPerTarget = 10
  /// How many messages may be asked for from one network address in an hour.
  public var messagesPerAddress = 60
  /// How many seconds lie between two messages to the same target.
  public var secondsBetweenMessages = 60
  /// How many wrong guesses a code takes before it is void.
  public var guessesPerCode = 5
  /// How many codes and passwords may be tried for one target in a quarter of an hour.
  public var guessesPerTarget = 20
  /// How many codes and passwords may be tried from one network address in a quarter of an hour.
  public var guessesPerAddress = 100

  /// The limits of a server for people.
  public init() {}

  /// The limits of a server for tests: none but that on guessing a code.
  public static var development: AuthLimits {
    var limits = AuthLimits()
    limits.messagesPerTarget = .max
    limits.messagesPerAddress = .max
    limits.secondsBetweenMessages = 0
    limits.guessesPerTarget = .max
    limits.guessesPerAddress = .max
    return limits
  }
}
