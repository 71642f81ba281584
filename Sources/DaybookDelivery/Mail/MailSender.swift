public import Calendar
public import DaybookAuth
import NIOCore
import NIOPosix
import NIOSSL

/// Sends mails through a mail server by SMTP, with one conversation for each.
public struct MailSender: MessageSender {
  private let settings: MailSettings
  private let sender: MailAddress
  private let context: NIOSSLContext?
  private let group: any EventLoopGroup
  private let now: @Sendable () -> Instant

  /// Makes a sender.
  ///
  /// - Parameters:
  ///   - settings: The mail server and the sender.
  ///   - now: The time now, for the mails' dates.
  /// - Throws: ``SenderSettingsError`` if the trusted certificates cannot be read.
  public init(
    _ settings: MailSettings, now: @escaping @Sendable () -> Instant
  ) throws(SenderSettingsError) {
    guard let sender = MailAddress(settings.sender) else {
      throw SenderSettingsError("the sender of mails is not an e-mail address")
    }
    self.settings = settings
    self.sender = sender
    self.now = now
    group = MultiThreadedEventLoopGroup.singleton
    context = settings.security == .none ? nil : try Self.context(settings)
  }

  private static func context(_ settings: MailSettings) throws(SenderSettingsError) -> NIOSSLContext
  {
    do {
      var configuration = TLSConfiguration.makeClientConfiguration()
      configuration.minimumTLSVersion = .tlsv12
      if let certificates = settings.trustedCertificates {
        configuration.trustRoots = .certificates(
          try NIOSSLCertificate.fromPEMBytes(Array(certificates.utf8)))
      }
      return try NIOSSLContext(configuration: configuration)
    } catch { throw SenderSettingsError("the mail server's certificates cannot be read") }
  }

  /// Sends the message.
  ///
  /// - Throws: ``SendFailure``.
  public func send(_ message: OutboxMessage) async throws(SendFailure) {
    let text = try MessageText(of: message)
    guard let recipient = MailAddress(message.recipient) else {
      throw .permanent("the recipient is not an e-mail address")
    }
    let mail = MailMessage(
      id: message.id, sender: sender, senderName: settings.senderName, recipient: recipient,
      subject: text.title, text: text.page ?? text.body, isPage: text.page != nil, date: now())
    do {
      try await withThrowingTaskGroup(of: Void.self) { race in
        race.addTask { try await converse(mail) }
        race.addTask {
          try await Task.sleep(for: settings.timeout)
          throw SendFailure.temporary("SMTP: no answer in time")
        }
        defer { race.cancelAll() }
        try await race.next()
      }
    } catch let failure as SendFailure {
      throw failure
    } catch { throw .temporary("SMTP: \(type(of: error))") }
  }

  private func converse(_ mail: MailMessage) async throws {
    let channel = try await connect()
    var isTaken = false
    do {
      try await channel.executeThenClose { inbound, outbound in
        var conversation = MailConversation(channel.channel, inbound, outbound)
        try await conversation.open(settings, context)
        try await conversation.hand(mail)
        isTaken = true
        await conversation.close()
      }
    } catch {
      // A mail that the server accepted is sent, even if ending the conversation fails.
      guard isTaken else { throw error }
    }
  }

  private func connect() async throws -> NIOAsyncChannel<String, ByteBuffer> {
    let implicit = settings.security == .implicitTLS ? context : nil
    let name = settings.tlsName
    return try await ClientBootstrap(group: group)
      .connectTimeout(.seconds(10))
      .connect(host: settings.host, port: settings.port) { channel in
        channel.eventLoop.makeCompletedFuture {
          let operations = channel.pipeline.syncOperations
          if let implicit {
            try operations.addHandler(NIOSSLClientHandler(context: implicit, serverHostname: name))
          }
          try operations.addHandler(MailLineFramer())
          return try NIOAsyncChannel(wrappingChannelSynchronously: channel)
        }
      }
  }
}

extension MailSettings {
  /// The name that the server's certificate must have; `nil` for an IP address, which the certificate itself must
  /// contain.
  var tlsName: String? {
    let isAddress = host.contains(":") || host.split(separator: ".").allSatisfy { UInt8($0) != nil }
    return isAddress ? nil : host
  }
}
