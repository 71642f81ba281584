import NIOCore
import NIOPosix
import NIOSSL
import Synchronization
import Testing

/// A minimal mail server in this process, which accepts mails and fails on request.
final class MailServer: Sendable {
  struct Behaviour: Sendable {
    /// The extensions that it announces.
    var extensions = ["SIZE 1000000"]
    /// Its greeting; `nil` means that it never says anything.
    var greeting: String? = "220 mail.example.org"
    /// Special answers to commands that start with these words.
    var answers: [String: String] = [:]
    /// Whether it speaks TLS from the first byte.
    var isImplicit = false
    /// Whether it closes the connection after a mail, without an answer.
    var dropsMails = false
  }

  private struct Contents {
    var commands: [String] = []
    var mails: [String] = []
  }

  let behaviour: Behaviour
  private let contents = Mutex(Contents())
  private let channel: any Channel

  var port: Int { channel.localAddress?.port ?? 0 }
  /// The commands received, with "TLS" where it started.
  var commands: [String] { contents.withLock { $0.commands } }
  /// The mails received, with their raw line ends.
  var mails: [String] { contents.withLock { $0.mails } }

  private init(_ behaviour: Behaviour, _ channel: any Channel) {
    self.behaviour = behaviour
    self.channel = channel
  }

  /// Runs a body with a server, and stops the server.
  static func with(
    _ behaviour: Behaviour = Behaviour(), _ body: (MailServer) async throws -> Void
  ) async throws {
    let found = Mutex<MailServer?>(nil)
    let context = try Self.context()
    let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          guard let server = found.withLock({ $0 }) else { return }
          let operations = channel.pipeline.syncOperations
          if behaviour.isImplicit {
            try operations.addHandler(NIOSSLServerHandler(context: context))
          }
          try operations.addHandler(MailServerHandler(server, context))
        }
      }
      .bind(host: "127.0.0.1", port: 0).get()
    let server = MailServer(behaviour, channel)
    found.withLock { $0 = server }
    let result: Result<Void, any Error>
    do { result = .success(try await body(server)) } catch { result = .failure(error) }
    try await channel.close()
    try result.get()
  }

  fileprivate func note(command: String) { contents.withLock { $0.commands.append(command) } }
  fileprivate func note(mail: String) { contents.withLock { $0.mails.append(mail) } }

  private static func context() throws -> NIOSSLContext {
    let chain = try NIOSSLCertificate.fromPEMBytes(Array(certificate.utf8))
    let key = try NIOSSLPrivateKey(bytes: Array(privateKey.utf8), format: .pem)
    return try NIOSSLContext(
      configuration: .makeServerConfiguration(
        certificateChain: chain.map { .certificate($0) }, privateKey: .privateKey(key)))
  }

  /// For localhost and 127.0.0.1, valid until 2126.
  static let certificate = """
    -----BEGIN CERTIFICATE-----
    MIIBmzCCAUGgAwIBAgIUBy/5IRwKfQuSKdMJmKnsFF67na0wCgYIKoZIzj0EAwIw
    FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyMzEwMjc1N1oYDzIxMjYxMDMw
    MTAyNzU3WjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
    PQMBBwNCAAQVo5ilCL3AOcJka6je1vKjjgKs5dSB5+wbQFOMnZnk665migAUoKSl
    YIoa2WS2nURW+Mmi4yPRm2WZQ81axxUMo28wbTAdBgNVHQ4EFgQU5AHzYk9yLg9j
    toEZdWEN7yNcMhUwHwYDVR0jBBgwFoAU5AHzYk9yLg9jtoEZdWEN7yNcMhUwDwYD
    VR0TAQH/BAUwAwEB/zAaBgNVHREEEzARgglsb2NhbGhvc3SHBH8AAAEwCgYIKoZI
    zj0EAwIDSAAwRQIhAKfjiCn5WaRUnmiDQ2grkL38j+MRF8TYwkTOn8M3QBHkAiAH
    QvdXtYdVROq2Rkhw+2kG92bJOQF/ICltX7FN9cQtSw==
    -----END CERTIFICATE-----
    """

  private static let privateKey = """
    -----BEGIN PRIVATE KEY-----
    MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg/m6bB04o0pg1G1KX
    5FiAj4trWoMdGTkK8Ri90zMhEXKhRANCAAQVo5ilCL3AOcJka6je1vKjjgKs5dSB
    5+wbQFOMnZnk665migAUoKSlYIoa2WS2nURW+Mmi4yPRm2WZQ81axxUM
    -----END PRIVATE KEY-----
    """
}

/// One conversation with the server.
private final class MailServerHandler: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  private let server: MailServer
  private let context: NIOSSLContext
  private var bytes: [UInt8] = []
  private var mail: [String]?
  private var wordsExpected = 0

  init(_ server: MailServer, _ context: NIOSSLContext) {
    self.server = server
    self.context = context
  }

  func channelActive(context: ChannelHandlerContext) {
    if let greeting = server.behaviour.greeting { say(greeting, context) }
    context.fireChannelActive()
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    for byte in unwrapInboundIn(data).readableBytesView {
      bytes.append(byte)
      guard bytes.suffix(2) == [0x0D, 0x0A] else { continue }
      let line = String(decoding: bytes.dropLast(2), as: UTF8.self)
      bytes = []
      take(line, context)
    }
  }

  private func take(_ line: String, _ context: ChannelHandlerContext) {
    if var lines = mail {
      guard line == "." else {
        lines.append(line)
        mail = lines
        return
      }
      mail = nil
      server.note(mail: lines.joined(separator: "\n"))
      if server.behaviour.dropsMails { return context.close(promise: nil) }
      return say(server.behaviour.answers["."] ?? "250 2.0.0 taken", context)
    }
    server.note(command: line)
    if wordsExpected > 0 {
      wordsExpected -= 1
      return say(wordsExpected > 0 ? "334 UGFzc3dvcmQ6" : "235 2.7.0 welcome", context)
    }
    if let (_, answer) = server.behaviour.answers.first(where: { line.hasPrefix($0.key) }) {
      return say(answer, context)
    }
    answer(line, context)
  }

  private func answer(_ line: String, _ context: ChannelHandlerContext) {
    switch line.split(separator: " ").first.map(String.init) ?? "" {
    case "EHLO":
      let lines = ["mail.example.org"] + server.behaviour.extensions
      for line in lines.dropLast() { say("250-\(line)", context) }
      say("250 \(lines.last ?? "")", context)
    case "STARTTLS":
      say("220 2.0.0 go on", context)
      do {
        try context.pipeline.syncOperations.addHandler(
          NIOSSLServerHandler(context: self.context), position: .first)
        server.note(command: "TLS")
      } catch { Issue.record(error) }
    case "AUTH":
      guard line == "AUTH LOGIN" else { return say("235 2.7.0 welcome", context) }
      wordsExpected = 2
      say("334 VXNlcm5hbWU6", context)
    case "DATA":
      mail = []
      say("354 go on", context)
    case "QUIT": context.close(promise: nil)
    default: say("250 2.1.0 fine", context)
    }
  }

  private func say(_ line: String, _ context: ChannelHandlerContext) {
    context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: "\(line)\r\n")), promise: nil)
  }
}
