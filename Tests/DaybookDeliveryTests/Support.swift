import Avro
import Calendar
import Daybook
import DaybookAuth
import DaybookDelivery
import DaybookStore
import HTTPTypes
import Logging
import Synchronization
import Testing
import Values
import Wire

extension Tag {
  /// Examples: what one rule does.
  @Tag static var unit: Self
  /// Laws that hold for all values.
  @Tag static var law: Self
  /// Damage by crashes and broken servers.
  @Tag static var damage: Self
}

/// A clock that shows the given time.
final class HandClock: Sendable {
  private let shown: Mutex<Instant>

  init(_ text: String = "2026-03-02T12:00:00Z") {
    shown = Mutex(Self.instant(text))
  }

  var now: Instant { shown.withLock { $0 } }

  func show(_ text: String) { show(Self.instant(text)) }
  func show(_ instant: Instant) { shown.withLock { $0 = instant } }
  func advance(milliseconds: Int64) {
    shown.withLock { $0 = $0.advanced(byMilliseconds: milliseconds) }
  }

  static func instant(_ text: String) -> Instant {
    guard let instant = Instant(text) else {
      Issue.record("\(text) is not an instant")
      return .first
    }
    return instant
  }
}

/// Answers requests by a script, and keeps the requests.
final class ScriptedOutbound: Outbound {
  struct Request: Sendable {
    var url: String
    var headers: HTTPFields
    var body: String

    func header(_ name: String) -> String? {
      HTTPField.Name(name).flatMap { headers[$0] }
    }

    var json: JSON { (try? JSON(parsing: body)) ?? .null }
  }

  private struct Contents {
    var requests: [Request] = []
    var answers: [Result<WireResponse, OutboundFailure>]
  }

  private let contents: Mutex<Contents>

  /// Answers in this order; the last answer repeats.
  init(_ answers: Result<WireResponse, OutboundFailure>...) {
    contents = Mutex(Contents(answers: answers))
  }

  var requests: [Request] { contents.withLock { $0.requests } }

  func send(
    _ method: HTTPRequest.Method, _ url: String, headers: HTTPFields, body: [UInt8]
  ) async throws(OutboundFailure) -> WireResponse {
    let answer = contents.withLock { contents in
      contents.requests.append(
        Request(url: url, headers: headers, body: String(decoding: body, as: UTF8.self)))
      return contents.answers.count > 1
        ? contents.answers.removeFirst() : contents.answers.first ?? .success(WireResponse(.ok))
    }
    return try answer.get()
  }
}

/// A sender that keeps messages, and fails by a script.
final class ScriptedSender: MessageSender {
  private struct Contents {
    var sent: [OutboxMessage] = []
    var failures: [SendFailure?]
  }

  private let contents: Mutex<Contents>

  init(failures: [SendFailure?] = []) { contents = Mutex(Contents(failures: failures)) }

  var sent: [OutboxMessage] { contents.withLock { $0.sent } }

  func send(_ message: OutboxMessage) async throws(SendFailure) {
    let failure = contents.withLock { contents in
      let failure = contents.failures.isEmpty ? nil : contents.failures.removeFirst()
      if failure == nil { contents.sent.append(message) }
      return failure
    }
    if let failure { throw failure }
  }
}

/// A log handler that discards everything.
let silence = Logger(label: "tests") { _ in SwiftLogNoOpLogHandler() }

func message(
  _ channel: OutboxMessage.Channel = .email, to recipient: String = "ada@example.org",
  template: String = "magiclink", payload: JSON = ["code": "123456"], at now: Instant,
  key: String? = nil
) -> OutboxMessage {
  OutboxMessage(
    channel, to: recipient, template: template, payload: payload, created: now,
    deduplicationKey: key)
}

/// An outbox that can neither be read nor written.
struct BrokenOutbox: Outbox {
  private let failure = StoreFailure("the database is locked")

  func enqueue(_ messages: [OutboxMessage]) throws(StoreFailure) -> Int { throw failure }
  func lease(
    _ limit: Int, at now: Instant, until end: Instant
  ) throws(StoreFailure) -> [OutboxMessage] { throw failure }
  func noteDelivery(
    of message: Key, at now: Instant, keepingPayload: Bool
  ) throws(StoreFailure) { throw failure }
  func postpone(_ message: Key, _ reason: String, until next: Instant) throws(StoreFailure) {
    throw failure
  }
  func bury(_ message: Key, _ reason: String, at now: Instant) throws(StoreFailure) {
    throw failure
  }
  func deadLetters(_ limit: Int) throws(StoreFailure) -> [OutboxMessage] { throw failure }
  func sendAgain(_ message: Key, at now: Instant) throws(StoreFailure) -> Bool { throw failure }
  func forget(settledBefore end: Instant) throws(StoreFailure) -> Int { throw failure }
}

/// A log handler that keeps all messages.
final class KeptLog: Sendable {
  private let kept = Mutex<[String]>([])

  var messages: [String] { kept.withLock { $0 } }
  var logger: Logger { Logger(label: "tests") { _ in Handler(log: self) } }

  private struct Handler: LogHandler {
    let log: KeptLog
    var metadata: Logger.Metadata = [:]
    var logLevel = Logger.Level.info

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
      get { metadata[key] }
      set { metadata[key] = newValue }
    }

    func log(event: LogEvent) { log.kept.withLock { $0.append("\(event.message)") } }
  }
}
