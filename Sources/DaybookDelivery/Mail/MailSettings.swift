/// The mail server and the sender of mails.
public struct MailSettings: Sendable {
  /// The encryption of the connection to the mail server.
  public enum Security: String, Sendable, CaseIterable {
    /// TLS after STARTTLS (port 587); a server that does not offer it is sent nothing.
    case startTLS = "starttls"
    /// TLS from the first byte (port 465).
    case implicitTLS = "tls"
    /// None: only for a server on this machine.
    case none
  }

  /// A user name and its password.
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
  /// The encryption of the connection.
  public let security: Security
  /// The credentials at the server, if it requires any.
  public let credentials: Credentials?
  /// The sender's address.
  public let sender: String
  /// The sender's name, in any language.
  public var senderName = ""
  /// The name in the greeting to the mail server: this machine's.
  public var greeting = "localhost"
  /// The longest duration of a whole conversation.
  public var timeout: Duration = .seconds(30)
  /// Trusted certificates (PEM), in place of the system's.
  public var trustedCertificates: String?

  /// Makes settings.
  ///
  /// - Parameters:
  ///   - host: The mail server.
  ///   - port: Its port.
  ///   - security: The encryption of the connection.
  ///   - credentials: The credentials at the server.
  ///   - sender: The sender's address.
  /// - Throws: ``SenderSettingsError`` for an invalid sender's address, or a connection that would not be
  ///   encrypted.
  public init(
    host: String, port: Int, security: Security, credentials: Credentials? = nil, sender: String
  ) throws(SenderSettingsError) {
    guard (1...65_535).contains(port), !host.isEmpty else {
      throw SenderSettingsError("the mail server needs a host, and a port of 1 to 65535")
    }
    guard security != .none || Loopback.isMeant(byHost: host) else {
      throw SenderSettingsError(
        "mails may go without TLS only to this machine: use starttls or tls")
    }
    guard MailAddress(sender) != nil else {
      throw SenderSettingsError("the sender of mails is not an e-mail address")
    }
    self.host = host
    self.port = port
    self.security = security
    self.credentials = credentials
    self.sender = sender
  }
}

/// An address for SMTP commands and headers: no character in it can end either.
struct MailAddress: Hashable {
  let text: String

  /// Whether it requires SMTPUTF8 (RFC 6531).
  var needsUTF8: Bool { !text.utf8.allSatisfy { $0 < 0x80 } }

  /// Parses an address of the form `local@domain`; `nil` for a quoted one, or one with a space, a control
  /// character, or a character with a meaning in headers.
  init?(_ text: String) {
    let parts = text.split(separator: "@", omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty, text.utf8.count <= 254,
      text.unicodeScalars.allSatisfy(Self.mayHold)
    else { return nil }
    self.text = text
  }

  /// The part after the `@`.
  var domain: String { text.split(separator: "@").last.map(String.init) ?? "localhost" }

  private static func mayHold(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "(", ")", "<", ">", "[", "]", ",", ";", ":", "\\", "\"": false
    default: !scalar.properties.isWhitespace && scalar.value >= 0x20 && !scalar.isMailControl
    }
  }
}

extension Unicode.Scalar {
  /// Whether it is a control or format character or a line end, none of which may occur in a
  /// header.
  var isMailControl: Bool {
    switch properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate: true
    default: false
    }
  }
}
