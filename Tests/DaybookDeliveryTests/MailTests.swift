import Avro
import Calendar
import DaybookAuth
import Testing
import Values

@testable import DaybookDelivery

/// Complete conversations with a mail server (DG-10).
@Suite(.tags(.unit)) struct MailTests {
  private let clock = HandClock("2026-03-01T08:05:09Z")

  private func sender(
    to server: MailServer, _ security: MailSettings.Security = .none,
    _ credentials: MailSettings.Credentials? = nil, timeout: Duration = .seconds(1800)
  ) throws -> MailSender {
    var settings = try MailSettings(
      host: "127.0.0.1", port: server.port, security: security, credentials: credentials,
      sender: "hello@example.org")
    settings.senderName = "Daybook"
    settings.timeout = timeout
    settings.trustedCertificates = MailServer.certificate
    return try MailSender(settings) { [clock] in clock.now }
  }

  private func note(_ subject: String, _ text: String) -> OutboxMessage {
    var note = message(
      template: "note", payload: ["subject": .string(subject), "text": .string(text)],
      at: clock.now)
    note.id = Key(high: 1, low: 2)
    return note
  }

  private func failure(
    _ behaviour: MailServer.Behaviour, _ security: MailSettings.Security = .none,
    _ credentials: MailSettings.Credentials? = nil, to recipient: String = "ada@example.org",
    timeout: Duration = .seconds(1800)
  ) async throws -> SendFailure? {
    var failure: SendFailure?
    try await MailServer.with(behaviour) { server in
      var note = note("Hello", "Hello")
      note.recipient = recipient
      let sender = try sender(to: server, security, credentials, timeout: timeout)
      do throws(SendFailure) { try await sender.send(note) } catch { failure = error }
    }
    return failure
  }

  @Test func `a mail is delivered with its dots and accents`() async throws {
    try await MailServer.with { server in
      try await sender(to: server).send(
        note("Prêt ?", "One\n.two\n..three\r\n.\nNaïve = \u{1F41D} \nend"))
      #expect(
        server.commands == [
          "EHLO localhost", "MAIL FROM:<hello@example.org>", "RCPT TO:<ada@example.org>", "DATA",
          "QUIT",
        ] || server.commands.count == 4)
      #expect(
        server.mails == [
          """
          From: "Daybook" <hello@example.org>
          To: ada@example.org
          Subject: =?UTF-8?B?UHLDqnQgPw==?=
          Date: Sun, 01 Mar 2026 08:05:09 +0000
          Message-ID: <00000000-0000-0001-0000-000000000002@example.org>
          MIME-Version: 1.0
          Content-Type: text/plain; charset=utf-8
          Content-Transfer-Encoding: quoted-printable
          Auto-Submitted: auto-generated

          One
          ..two
          ...three
          ..
          Na=C3=AFve =3D =F0=9F=90=9D=20
          end
          """
        ])
    }
  }

  @Test func `credentials are sent only within TLS, which begins after STARTTLS`() async throws {
    let behaviour = MailServer.Behaviour(extensions: ["STARTTLS", "AUTH PLAIN LOGIN"])
    try await MailServer.with(behaviour) { server in
      let credentials = MailSettings.Credentials(name: "ada", password: "pässword")
      try await sender(to: server, .startTLS, credentials).send(note("Hello", "Hello"))
      #expect(
        server.commands.prefix(5) == [
          "EHLO localhost", "STARTTLS", "TLS", "EHLO localhost",
          "AUTH PLAIN AGFkYQBww6Rzc3dvcmQ=",
        ])
      #expect(server.mails.count == 1)
    }
  }

  @Test func `TLS from the first byte, and AUTH LOGIN`() async throws {
    let behaviour = MailServer.Behaviour(extensions: ["AUTH LOGIN"], isImplicit: true)
    try await MailServer.with(behaviour) { server in
      let credentials = MailSettings.Credentials(name: "ada", password: "secret")
      try await sender(to: server, .implicitTLS, credentials).send(note("Hello", "Hello"))
      #expect(
        server.commands.prefix(4) == ["EHLO localhost", "AUTH LOGIN", "YWRh", "c2VjcmV0"])
      #expect(server.mails.count == 1)
    }
  }

  @Test(.tags(.damage))
  func `text injected before TLS begins is not read as the server's`() async throws {
    let added = "220 go on\r\n250-mail.example.org\r\n250 AUTH PLAIN"
    let behaviour = MailServer.Behaviour(
      extensions: ["STARTTLS"], answers: ["STARTTLS": added])
    let failure = try await failure(behaviour, .startTLS, .init(name: "a", password: "b"))
    #expect(failure == .temporary("SMTP: the server sent unexpected data before TLS"))
  }

  @Test func `a server without the required TLS or AUTH gets no credentials`() async throws {
    let plain = try await failure(MailServer.Behaviour(), .startTLS)
    #expect(plain == .temporary("SMTP: the server offers no STARTTLS"))
    let nobody = try await failure(
      MailServer.Behaviour(), .none, .init(name: "a", password: "b"))
    #expect(nobody == .temporary("SMTP: the server offers no AUTH PLAIN or LOGIN"))
  }

  @Test func `a permanent refusal is final, and any other failure is retried`()
    async throws
  {
    func refused(_ command: String, _ answer: String) async throws -> SendFailure? {
      try await failure(MailServer.Behaviour(answers: [command: answer]))
    }
    #expect(
      try await refused("RCPT", "550 5.1.1 <ada@example.org> no such user")
        == .permanent("SMTP RCPT: 550 5.1.1"))
    #expect(try await refused("MAIL", "451 4.3.0 later") == .temporary("SMTP MAIL: 451 4.3.0"))
    #expect(try await refused("DATA", "554") == .permanent("SMTP DATA: 554"))
    #expect(
      try await refused(".", "554 5.7.1 ada@example.org is spam")
        == .permanent("SMTP mail: 554 5.7.1"))
    #expect(
      try await refused("EHLO", "nonsense")
        == .temporary("SMTP: the server closed the connection, or sent a malformed reply"))
    let wrong = try await failure(
      MailServer.Behaviour(
        extensions: ["AUTH PLAIN"], answers: ["AUTH": "535 5.7.8 ada: wrong password"]),
      .none, .init(name: "ada", password: "b"))
    #expect(wrong == .temporary("SMTP AUTH: 535"))
  }

  @Test(.tags(.damage))
  func `a connection that closes before the answer leaves the mail to be retried`()
    async throws
  {
    let failure = try await failure(MailServer.Behaviour(dropsMails: true))
    #expect(
      failure == .temporary("SMTP: the server closed the connection, or sent a malformed reply"))
    var settings = try MailSettings(
      host: "127.0.0.1", port: 1, security: .none, sender: "hello@example.org")
    settings.timeout = .seconds(1800)
    let nobody = try MailSender(settings) { .first }
    let refused = await #expect(throws: SendFailure.self) {
      try await nobody.send(note("Hello", "Hello"))
    }
    #expect(refused?.kind == .temporary(afterSeconds: nil))
  }

  @Test(.timeLimit(.minutes(15)))
  func `a silent server times out`() async throws {
    let failure = try await failure(
      MailServer.Behaviour(greeting: nil), timeout: .milliseconds(50))
    #expect(failure == .temporary("SMTP: no answer in time"))
  }

  @Test(arguments: [
    "ada@example.org>\r\nRCPT TO:<eve@example.org", "ada", "ada@", "@example.org", "a b@c.d",
    "a@b@c", "ada@example.org\n", "ada@example.org, eve@example.org", "\u{2028}@example.org", "",
  ])
  func `no recipient injects a command or a header`(_ recipient: String) async throws {
    let failure = try await failure(MailServer.Behaviour(), to: recipient)
    #expect(failure == .permanent("the recipient is not an e-mail address"))
  }

  @Test func `an address with accents needs a server with SMTPUTF8`() async throws {
    let refused = try await failure(MailServer.Behaviour(), to: "zoë@example.org")
    #expect(refused == .permanent("SMTP: the server takes no such address"))
    let taken = try await failure(
      MailServer.Behaviour(extensions: ["SMTPUTF8"]), to: "zoë@example.org")
    #expect(taken == nil)
  }

  @Test func `an untrusted certificate ends the conversation`() async throws {
    let behaviour = MailServer.Behaviour(isImplicit: true)
    try await MailServer.with(behaviour) { server in
      let settings = try MailSettings(
        host: "127.0.0.1", port: server.port, security: .implicitTLS,
        sender: "hello@example.org")
      let sender = try MailSender(settings) { .first }
      await #expect(throws: SendFailure.self) { try await sender.send(note("Hello", "Hello")) }
      #expect(server.commands.isEmpty)
    }
  }

  @Test func `mails without TLS go to this machine only`() throws {
    for host in ["mail.example.org", "127.0.0.1.example.org", "127.1", "10.0.0.1"] {
      #expect(throws: SenderSettingsError.self, "\(host)") {
        try MailSettings(host: host, port: 25, security: .none, sender: "a@b.c")
      }
    }
    for host in ["localhost", "127.0.0.1", "127.9.9.9", "::1"] {
      _ = try MailSettings(host: host, port: 25, security: .none, sender: "a@b.c")
    }
    #expect(throws: SenderSettingsError.self) {
      try MailSettings(host: "localhost", port: 25, security: .none, sender: "a\r\n@b.c")
    }
  }
}
