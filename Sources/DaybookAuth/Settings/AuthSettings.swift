public import Calendar
import DaybookStore
import Foundation

/// The settings of sign-in.
public struct AuthSettings: Sendable {
  /// The server's address without a trailing slash; links in mails begin with it.
  public var siteURL: String
  /// The issuer of access tokens: their `iss`.
  public var issuer: String
  /// The address for a browser that named no address, or one that is not allowed.
  public var defaultRedirect: String
  /// The addresses to which browsers may be sent; see ``RedirectList`` for the patterns.
  public var redirects: [String]
  /// Whether a sign-up with a password must prove the address first.
  public var confirmsAddresses = true
  /// The lifetime of an access token in seconds; at least 300, because clients refresh some minutes
  /// before its end.
  public var tokenSeconds = 3600
  /// The lifetime of a one-time code in seconds.
  public var codeSeconds = 600
  /// How many seconds a used refresh token still answers with its successor.
  public var refreshGraceSeconds = 10
  /// The number of days after which a new key signs access tokens.
  public var signingKeyDays = 30
  /// The app ids whose Apple tokens are accepted; empty refuses Apple.
  public var appleClients: [String] = []
  /// The client ids whose Google tokens are accepted, the browser's first; empty refuses Google.
  public var googleClients: [String] = []
  /// Google's secret for the first client id; without it, nobody can sign in by browser.
  public var googleSecret: String?
  /// The project's public key, which as a bearer token identifies nobody.
  public var anonymousKey: String?
  /// Whether mails can be read and tokens made without any provider: for tests, never in
  /// production.
  public var isDevelopment: Bool
  /// The rate limits.
  public var limits: AuthLimits
  /// The cost of a password's hash, as a power of two (scrypt's N). A development server hashes with 10, because its
  /// tests sign up hundreds of people.
  public var passwordCost: Int
  /// The time now.
  public var now: @Sendable () -> Instant = { Instant(Date()) }

  /// Makes settings.
  ///
  /// - Parameters:
  ///   - siteURL: The server's address.
  ///   - redirects: The addresses to which browsers may be sent.
  ///   - isDevelopment: Whether this is a development server.
  public init(siteURL: String, redirects: [String] = [], isDevelopment: Bool = false) {
    let site = siteURL.hasSuffix("/") ? String(siteURL.dropLast()) : siteURL
    self.siteURL = site
    issuer = site + "/auth/v1"
    defaultRedirect = site
    self.redirects = redirects
    self.isDevelopment = isDevelopment
    limits = isDevelopment ? .development : AuthLimits()
    passwordCost = isDevelopment ? 10 : 15
  }
}

extension AuthSettings {
  /// Whether a text is a valid redirect pattern.
  public static func isRedirect(_ pattern: String) -> Bool { RedirectList.isPattern(pattern) }

  /// Whether an address is a valid redirect target.
  public static func isAddress(_ text: String) -> Bool { RedirectList.isTarget(text) }
}

/// Rate limits that keep anybody from guessing codes and passwords, or from sending others messages without end.
public struct AuthLimits: Sendable {
  /// The most messages to a phone or an address in an hour.
  public var messagesPerTarget = 10
  /// The most messages requested from one network in an hour.
  public var messagesPerAddress = 60
  /// The seconds between two messages to the same recipient.
  public var secondsBetweenMessages = 60
  /// The number of wrong guesses after which a code is void.
  public var guessesPerCode = 5
  /// The most codes and passwords tried for one address in a quarter of an hour.
  public var guessesPerTarget = 20
  /// The most codes and passwords tried from one network in a quarter of an hour.
  public var guessesPerAddress = 100
  /// The most uses of a personal token in an hour.
  public var usesPerToken = 600

  /// The limits for production.
  public init() {}

  /// The limits for tests: none, except on guesses at a code.
  public static var development: AuthLimits {
    var limits = AuthLimits()
    limits.messagesPerTarget = .max
    limits.messagesPerAddress = .max
    limits.secondsBetweenMessages = 0
    limits.guessesPerTarget = .max
    limits.guessesPerAddress = .max
    limits.usesPerToken = .max
    return limits
  }
}
