/// Where mails are handed over, and from whom they are.
public struct MailSettings: Sendable {
  /// How the way to the mail server is kept secret.
  public enum Security: String, Sendable, CaseIterable {
    /// By TLS that begins after STARTTLS (port 587); a server that does not offer it is sent nothing.
    case startTLS = "starttls"
    /// By TLS from the first byte (port 465).
    case implicitTLS = "tls"
    /// Not at all: only to this machine.
    case none
  }

  /// A name and its password.
  public struct Credentials: Sendable {
    /// The name.
    public var name: String
    /// The password.
    public var password: String

    /// Makes credentials.
    public init(name: String, password: String) {
      self.name = name
      self.password = password
    }
  }

  /// The mail server.
  public let host: String
  /// Its port.
  public let port: Int
  /// How the way there is kept secret.
  public let security: Security
  /// By what the server knows us, if it asks.
  public let credentials: Credentials?
  /// The sender's address.
  public let sender: String
  /// The sender's name, in any language.
  public var senderName = ""
  /// How the mail server is greeted: this machine's name.
  public var greeting = "localhost"
  /// How long a whole conversation may take.
  public var timeout: Duration = .seconds(30)
  /// Certificates (PEM) that are trusted instead of the system's.
  public var trustedCertificates: String?

  /// Makes settings.
  ///
  /// - Parameters:
  ///   - host: The mail server.
  ///   - port: Its port.
  ///   - security: How the way there is kept secret.
  ///   - credentials: By what the server knows us.
  ///   - sender: The sender's address.
  /// - Throws: ``SenderSettingsError`` for a sender's address that is none, and for a way that would not be secret.
  public init(
    host: String, port: Int, security: Security, credentials: Credentials? = nil, sender: String
  ) throws(SenderSettingsError) {
    guard (1...65_535).contains(port), !host.isEmpty else {
      throw SenderSettingsError("the mail server needs a host, and a port of 1 to 65535")
    }
    guard security != .none || Loopback.isMeant(byHost: host) else {
      throw SenderSettingsError("mails go without TLS to this machine only: use starttls or tls")
    }
    guard MailAddress(sender) != nil else {
      throw SenderSettingsError("the sender of mails is no e-mail address")
    }
    self.host = host
    self.port = port
    self.security = security
    self.credentials = credentials
    self.sender = sender
  }
}

/// An address as it may stand in an SMTP command and in a header: nothing in it can end either.
struct MailAddress: Hashable {
  let text: String

  /// Whether it can only be sent where SMTPUTF8 is spoken (RFC 6531).
  var needsUTF8: Bool { !text.utf8.allSatisfy { $0 < 0x80 } }

  /// Takes an address of the form `local@domain`; nothing for quoted ones, and for any that holds a space, a control
  /// character, or what means something in a header.
  init?(_ text: String) {
    let parts = text.split(separator: "@", omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty, text.utf8.count <= 254,
      text.unicodeScalars.allSatisfy(Self.mayHold)
    else { return nil }
    self.text = text
  }

  /// What stands behind the `@`.
  var domain: String { text.split(separator: "@").last.map(String.init) ?? "localhost" }

  private static func mayHold(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "(", ")", "<", ">", "[", "]", ",", ";", ":", "\\", "\"": false
    default: !scalar.properties.isWhitespace && scalar.value >= 0x20 && !scalar.isMailControl
    }
  }
}

extension Unicode.Scalar {
  /// Whether it is a control or format character, or the end of a line: never part of a header.
  var isMailControl: Bool {
    switch properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate: true
    default: false
    }
  }
}
