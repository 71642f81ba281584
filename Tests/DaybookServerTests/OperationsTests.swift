import Configuration
import Avro
import CoreMetrics
import DaybookAuth
import Foundation
import HTTPTypes
import Synchronization
import Testing
import Values
import Wire

@testable import DaybookServer

@Suite(.tags(.unit)) struct OperationsTests {
  @Test func `simultaneous bodies share a limited space, and a released body frees it`() {
    let room = BodyMemory(holding: 64 << 20)
    let senders = (1...4).map { BodySender.account(Key(high: 0, low: $0)) }
    var first: BodyReservation? = BodyReservation(room, of: senders[0])
    let most = room.senderByteLimit + BodyReservation.freeByteCount
    #expect(first?.reserve(most) == true)
    let others = senders.dropFirst().map { BodyReservation(room, of: $0) }
    #expect(others.allSatisfy { $0.reserve(most) })
    let late = BodyReservation(room, of: .network("192.0.2.1"))
    #expect(late.reserve(BodyReservation.freeByteCount), "a short body always has room")
    #expect(!late.reserve(1))
    first = nil
    #expect(late.reserve(1))
    #expect(!late.reserve(room.senderByteLimit))
  }

  @Test func `one sender has a quarter of the space, and always room for one body`() {
    let room = BodyMemory(holding: 1 << 30)
    #expect(room.senderByteLimit >= 1 << 30 && room.byteLimit >= 4 * room.senderByteLimit)
    let sender = BodySender.account(Key(high: 0, low: 1))
    let held = BodyReservation(room, of: sender)
    let most = room.senderByteLimit + BodyReservation.freeByteCount
    #expect(held.reserve(most) && !held.reserve(1))
    #expect(!BodyReservation(room, of: sender).reserve(BodyReservation.freeByteCount + 1))
    #expect(BodyReservation(room, of: .refused).reserve(BodyReservation.freeByteCount + 1))
  }

  @Test func `a refused request gets the route's form of error, and a time to retry`()
    throws
  {
    for refusal in [
      RequestRefusal.tooMany, .noRoom, .tooLarge, .tooSlow, .tooManyWaiting, .tooLargeWithoutToken,
    ] {
      let rows = refusal.response(on: .rest(["habits"]))
      let command = refusal.response(on: .api(["commands"]))
      let (one, other) = (try JSON(parsing: rows.body), try JSON(parsing: command.body))
      #expect(one["message"]?.text != nil && one["message"] == other["error"]?["message"])
      let signIn = try JSON(parsing: refusal.response(on: .auth(["otp"])).body)
      let function = try JSON(parsing: refusal.response(on: .function("send-email")).body)
      #expect(signIn["msg"] == one["message"] && signIn["error_code"]?.text != nil)
      #expect(function == .object([.init("error", one["message"] ?? .null)]))
      let isLater = [.serviceUnavailable, .tooManyRequests].contains(rows.status)
      #expect((rows.headers[.retryAfter] != nil) == isLater)
      #expect((command.headers[.retryAfter] != nil) == isLater)
    }
  }

  @Test func `figures are written in Prometheus's text format`() {
    let figures = FigureRegistry()
    let counter = figures.makeCounter(label: "asked_total", dimensions: [("route", "rest/habits")])
    counter.increment(by: 2)
    figures.makeCounter(label: "asked_total", dimensions: [("route", "rest/habits")]).increment(
      by: 1)
    figures.makeRecorder(label: "rows", dimensions: [], aggregate: false).record(Int64(7))
    let timing = figures.makeTimer(label: "took_seconds", dimensions: [])
    for milliseconds in 1...100 { timing.recordNanoseconds(Int64(milliseconds) * 1_000_000) }
    let lines = figures.text.split(separator: "\n")
    #expect(lines.contains("# TYPE asked_total counter"))
    #expect(lines.contains(#"asked_total{route="rest/habits"} 3"#))
    #expect(lines.contains("rows 7.0"))
    #expect(lines.contains("took_seconds_count 100"))
    let median = lines.first { $0.hasPrefix(#"took_seconds{quantile="0.5"}"#) }?
      .split(separator: " ").last.flatMap { Double($0) }
    #expect(median.map { (0.05...0.06).contains($0) } == true, "within a fifth: \(median ?? 0)")
  }

  @Test func `log lines are written in groups, and at once with an urgent one`() {
    let written = Written()
    let lines = LineBuffer { written.append($0) }
    for line in ["one", "two"] { lines.add(Array(line.utf8), isUrgent: false) }
    lines.add(Array("three".utf8), isUrgent: true)
    #expect(written.texts.joined() == "one\ntwo\nthree\n")
    lines.add(Array("four".utf8), isUrgent: false)
    lines.flush()
    #expect(written.texts.last == "four\n")
    let count = written.texts.count
    lines.flush()
    #expect(written.texts.count == count, "nothing is written twice")
  }

  @Test func `a limited number of requests is admitted, and leaving frees a place`() {
    let gate = RequestGate()
    #expect(gate.enter(atMost: 2) && gate.enter(atMost: 2))
    #expect(!gate.enter(atMost: 2))
    gate.leave()
    #expect(gate.enter(atMost: 2))
  }

  @Test func `a request is counted by its route and its status`() {
    let registry = FigureRegistry()
    let figures = RequestFigures(registry)
    for status in [200, 200, 404] { figures.note("rest/habits", status: status, nanoseconds: 1000) }
    figures.note("health", status: 200, nanoseconds: 1000)
    let lines = registry.text.split(separator: "\n")
    #expect(lines.contains(#"daybook_requests_total{route="rest/habits",status="200"} 2"#))
    #expect(lines.contains(#"daybook_requests_total{route="rest/habits",status="404"} 1"#))
    #expect(lines.contains(#"daybook_request_seconds_count{route="rest/habits"} 3"#))
    #expect(lines.contains(#"daybook_request_seconds_count{route="health"} 1"#))
  }

  @Test func `settings come from the given values, with defaults for the rest`() throws {
    let reader = ConfigReader(
      provider: InMemoryProvider(values: [
        "port": 9000, "limits.requests": 3, "pepper": "0123456789abcdef", "logLevel": "notice",
      ]))
    let settings = try ServerSettings(reader)
    #expect(settings.port == 9000 && settings.host == "127.0.0.1")
    #expect(settings.limits.requestCount == 3 && settings.limits.seconds == 30)
    #expect(settings.pepper == Array("0123456789abcdef".utf8))
    #expect("\(settings.logLevel)" == "notice")
    #expect(!settings.isDevelopment, "a server is for production by default")
  }

  @Test(arguments: [
    (
      "json",
      #"{"port": 8081, "mail": {"host": "a", "hots": "b"}, "limits": {}, "redirect": ["x"]}"#
    ),
    ("yaml", "port: 8081\nmail:\n  host: a\n  hots: b\nlimits: {}\nredirect:\n  - x\n"),
  ])
  func `unknown names in a settings file are reported`(
    kind: String, text: String
  ) async throws {
    let path = FileManager.default.temporaryDirectory
      .appending(path: "settings-\(UInt64.random(in: 0 ... .max)).\(kind)").path
    try Data(text.utf8).write(to: URL(filePath: path))
    defer { try? FileManager.default.removeItem(atPath: path) }
    let settings = try await ServerSettings(file: path)
    #expect(settings.port == 8081)
    #expect(settings.unread == ["mail.host", "mail.hots", "redirect"])
    _ = settings.reader.scoped(to: "mail").string(forKey: "host")
    #expect(settings.unread == ["mail.hots", "redirect"])
  }

  @Test func `an impossible setting is refused with a sentence`() {
    for values: [AbsoluteConfigKey: ConfigValue] in [
      ["port": 70_000], ["pepperFile": "/no/such/file"], ["logLevel": "loud"],
    ] {
      let error = #expect(throws: SettingsError.self) {
        try ServerSettings(ConfigReader(provider: InMemoryProvider(values: values)))
      }
      #expect(error?.description.isEmpty == false)
    }
    let redirects = ConfigValue(
      .stringArray(["motiv://", "https://*.example.com/*"]), isSecret: false)
    for (name, value): (AbsoluteConfigKey, ConfigValue) in [
      ("redirects", redirects), ("home", "app.example.com"), ("auth.codeSeconds", 10),
    ] {
      let error = #expect(throws: SettingsError.self) {
        try AuthSettings(
          ServerSettings(ConfigReader(provider: InMemoryProvider(values: [name: value]))))
      }
      #expect(error?.description.hasPrefix("\(name)") == true)
    }
  }
}

/// The written data, one element for each write.
private final class Written: Sendable {
  private let all = Mutex<[String]>([])

  var texts: [String] { all.withLock { $0 } }

  func append(_ bytes: [UInt8]) {
    all.withLock { $0.append(String(decoding: bytes, as: UTF8.self)) }
  }
}
