import NIOCore
import NIOSSL

/// A conversation with a mail server (RFC 5321).
struct MailConversation {
  private let channel: any Channel
  private var inbound: NIOAsyncChannelInboundStream<String>.AsyncIterator
  private let outbound: NIOAsyncChannelOutboundWriter<ByteBuffer>
  private var lineCount = 0
  /// The server's extensions, in upper case.
  private var extensions: [String] = []

  init(
    _ channel: any Channel, _ inbound: NIOAsyncChannelInboundStream<String>,
    _ outbound: NIOAsyncChannelOutboundWriter<ByteBuffer>
  ) {
    self.channel = channel
    self.inbound = inbound.makeAsyncIterator()
    self.outbound = outbound
  }

  /// Greets the server, starts TLS if the settings say so, and signs in if there are credentials.
  mutating func open(_ settings: MailSettings, _ context: NIOSSLContext?) async throws {
    try await reply().check([220], "greeting")
    try await greet(settings)
    if settings.security == .startTLS {
      guard extensions.contains("STARTTLS"), let context else {
        throw SendFailure.temporary("SMTP: the server offers no STARTTLS")
      }
      try await ask("STARTTLS").check([220], "STARTTLS")
      let (channel, taken, host) = (channel, lineCount, settings.tlsName)
      try await channel.eventLoop.submit {
        try MailLineFramer.beginTLS(
          on: channel, takenCount: taken,
          try NIOSSLClientHandler(context: context, serverHostname: host))
      }.get()
      try await greet(settings)
    }
    if let credentials = settings.credentials { try await signIn(credentials) }
  }

  /// Delivers a mail; when it returns, the server has accepted the mail.
  mutating func hand(_ mail: MailMessage) async throws {
    let needsUTF8 = mail.recipient.needsUTF8 || mail.sender.needsUTF8
    guard !needsUTF8 || extensions.contains("SMTPUTF8") else {
      throw SendFailure.permanent("SMTP: the server takes no such address")
    }
    let parameter = needsUTF8 ? " SMTPUTF8" : ""
    try await ask("MAIL FROM:<\(mail.sender.text)>\(parameter)").check([250], "MAIL")
    try await ask("RCPT TO:<\(mail.recipient.text)>").check([250, 251], "RCPT")
    try await ask("DATA").check([354], "DATA")
    try await write(Self.stuffed(mail.bytes) + Array(".\r\n".utf8))
    try await reply().check([250], "mail")
  }

  /// Ends the conversation without waiting for an answer.
  func close() async { try? await write(Array("QUIT\r\n".utf8)) }

  /// Doubles a dot at the start of a line (RFC 5321, section 4.5.2), because a single dot ends the mail.
  static func stuffed(_ bytes: [UInt8]) -> [UInt8] {
    var stuffed: [UInt8] = []
    stuffed.reserveCapacity(bytes.count)
    var isLineStart = true
    for byte in bytes {
      if isLineStart, byte == UInt8(ascii: ".") { stuffed.append(byte) }
      stuffed.append(byte)
      isLineStart = byte == 0x0A
    }
    return stuffed
  }

  private mutating func greet(_ settings: MailSettings) async throws {
    let answer = try await ask("EHLO \(settings.greeting)")
    try answer.check([250], "EHLO")
    extensions = answer.lines.dropFirst().map { $0.uppercased() }
  }

  private mutating func signIn(_ credentials: MailSettings.Credentials) async throws {
    let ways = Set(
      extensions.first { $0.hasPrefix("AUTH ") || $0.hasPrefix("AUTH=") }
        .map { $0.dropFirst("AUTH ".count).split(separator: " ").map(String.init) } ?? [])
    if ways.contains("PLAIN") {
      let secret = "\0\(credentials.name)\0\(credentials.password)"
      try await ask("AUTH PLAIN \(Base64.encoded(secret.utf8))").checkSignIn()
    } else if ways.contains("LOGIN") {
      try await ask("AUTH LOGIN").check([334], "AUTH")
      try await ask(Base64.encoded(credentials.name.utf8)).check([334], "AUTH")
      try await ask(Base64.encoded(credentials.password.utf8)).checkSignIn()
    } else {
      throw SendFailure.temporary("SMTP: the server offers no AUTH PLAIN or LOGIN")
    }
  }

  private mutating func ask(_ command: String) async throws -> MailReply {
    try await write(Array("\(command)\r\n".utf8))
    return try await reply()
  }

  private func write(_ bytes: [UInt8]) async throws {
    try await outbound.write(ByteBuffer(bytes: bytes))
  }

  private mutating func reply() async throws -> MailReply {
    var lines: [String] = []
    while let line = try await inbound.next(isolation: #isolation) {
      lineCount += 1
      guard lines.count < 100, let (code, isLast, text) = MailReply.parts(of: line) else { break }
      lines.append(text)
      if isLast { return MailReply(code: code, lines: lines) }
    }
    throw SendFailure.temporary("SMTP: the server closed the connection, or sent a malformed reply")
  }
}

/// A mail server's reply to a command.
struct MailReply {
  let code: Int
  let lines: [String]

  /// The parts of a line such as `250-SIZE 1000`.
  static func parts(of line: String) -> (code: Int, isLast: Bool, text: String)? {
    let bytes = Array(line.utf8)
    guard bytes.count >= 3, let code = Int(String(decoding: bytes[..<3], as: UTF8.self)),
      (200...599).contains(code)
    else { return nil }
    guard bytes.count > 3 else { return (code, true, "") }
    guard bytes[3] == UInt8(ascii: " ") || bytes[3] == UInt8(ascii: "-") else { return nil }
    return (
      code, bytes[3] == UInt8(ascii: " "), String(decoding: bytes[4...], as: UTF8.self)
    )
  }

  /// Throws for any reply but the expected ones. Only the reply's numbers are reported, because its text may repeat
  /// addresses.
  func check(_ expected: [Int], _ command: String) throws(SendFailure) {
    guard !expected.contains(code) else { return }
    let reason = "SMTP \(command): \(code)" + (enhancedCode.map { " \($0)" } ?? "")
    throw code >= 500 ? .permanent(reason) : .temporary(reason)
  }

  /// Checks a sign-in. A wrong password is not the mail's fault, so the mail waits until it is
  /// right.
  func checkSignIn() throws(SendFailure) {
    guard code != 235 else { return }
    throw .temporary("SMTP AUTH: \(code)")
  }

  /// The enhanced status code, such as "5.1.1" (RFC 3463).
  private var enhancedCode: String? {
    guard let word = lines.first?.split(separator: " ").first else { return nil }
    let parts = word.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3, parts.allSatisfy({ (1...3).contains($0.count) && UInt16($0) != nil })
    else { return nil }
    return String(word)
  }
}
