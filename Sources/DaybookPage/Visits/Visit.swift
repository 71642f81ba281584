import Avro
import Calendar
import Daybook
import DaybookAPI
import DaybookStore
import HTTPTypes
import Values
import Wire

/// A request of a person who is signed in: who, in which language, and which moment they look at.
struct Visit: Sendable {
  private(set) var request: WireRequest
  let guest: Guest
  let language: Language
  let service: PageService
  /// The person's day clock, which says which day a moment belongs to.
  let clock: DayClock
  let zones: any TimeZones
  /// The present moment.
  let now: Instant
  /// When the person's account was created.
  let since: Instant
  /// The position of the book's last entry when the visit began.
  let position: Int64
  /// The person's colours: honey, mint or night.
  let theme: String
  /// Why the form of the screen was refused, if it was.
  var refusal: PageRefusal?

  init(_ request: WireRequest, _ guest: Guest, _ language: Language, _ service: PageService)
    throws
  {
    self.request = request
    self.guest = guest
    self.language = language
    self.service = service
    let book = service.api.book
    zones = book.reader.zones
    let (account, at, position) = book.read { state in
      (
        state.accounts.present(guest.account).flatMap { state.accounts[$0] }, state.at,
        state.position
      )
    }
    guard let account else { throw PageRefusal.unavailable }
    self.position = position
    clock = account.dayClock
    since = account.created
    theme = account.theme.rawValue
    now = max(book.now, at)
  }

  // MARK: The moment

  /// As of when the book is shown, as the address says it: a date means the end of that day for the person.
  var asOfText: String? { request.query["as_of"].flatMap { $0.isEmpty ? nil : $0 } }

  /// As of when the book is shown; `nil` means the present.
  var asOf: Instant? {
    guard let text = asOfText else { return nil }
    if let day = Day(text) { return clock.end(of: day, in: zones) }
    return Instant(text)
  }

  /// The day that the screen is about, if the address names one.
  var on: Day? { request.query["on"].flatMap { Day($0) } }

  /// The streak rule of the address, if it names one.
  var rule: String? { request.query["rule"].flatMap { $0.isEmpty ? nil : $0 } }

  /// Whether a script shows the screen again because something changed: then nothing is said of what was done before.
  var isRefresh: Bool { request.headers[.pageRefresh] != nil }

  /// Whether the screen hangs on a wall, for all who pass by: then it shows the day, and no settings.
  var isWall: Bool { request.headers.cookies[Self.wallCookie] == "1" }

  /// The name of the cookie that remembers the wall.
  static let wallCookie = "daybook-wall"

  /// Whether a past moment is shown: then nothing can be recorded.
  var isPast: Bool { asOfText != nil }

  /// The person's day of the moment shown.
  var today: Day { clock.day(of: asOf ?? now, in: zones) ?? Day(utc: now) }

  /// Whether the screen is shown twice, as it was then and as it is now.
  var isBeside: Bool { request.query["beside"] == "now" }

  /// The address that says the same in its proper form, if this one does not: the days back of a slider become dates.
  var canonicalTarget: String? {
    get throws {
      guard request.query["back"] != nil || request.query["on_back"] != nil else {
        guard let text = asOfText else { return isBeside ? target(asOf: nil) : nil }
        guard let asOf else { throw PageRefusal(.badRequest, "refused.moment") }
        // A day that is not over is the present.
        return Day(text) != nil && asOf > now ? target(asOf: nil) : nil
      }
      let present = clock.day(of: now, in: zones) ?? Day(utc: now)
      let most = max(0, (clock.day(of: since, in: zones) ?? present).distance(to: present))
      func days(_ name: String) -> Int? {
        request.query[name].map { min(max(Int($0) ?? 0, 0), most) }
      }
      let shown = max(0, today.distance(to: present))
      let back = days("back") ?? shown
      // An instant stays what it is, unless the handle was moved to another day.
      let kept = back == shown ? asOfText : nil
      let moment = kept ?? (back == 0 ? nil : present.advanced(by: -back).description)
      var changes: [(String, String?)] = []
      if let about = days("on_back") {
        changes.append(("on", about <= back ? nil : present.advanced(by: -about).description))
      }
      return target(asOf: moment, changes)
    }
  }

  /// The address of this screen as of another moment; `nil` means the present.
  ///
  /// - Parameters:
  ///   - moment: A day or an instant.
  ///   - changes: What else of the address becomes what; `nil` goes.
  /// - Returns: The address. A day that the screen is about stays, unless it is later than the moment.
  func target(asOf moment: String?, _ changes: [(String, String?)] = []) -> String {
    var visit = self
    visit.change(
      [("as_of", moment), ("back", nil), ("on_back", nil), ("put_back", nil)]
        + (moment == nil ? [("beside", nil)] : []) + changes)
    if let on = visit.on, on > visit.today { visit.change([("on", nil)]) }
    return visit.request.target
  }

  /// The address of this screen with some of its fields changed; `nil` goes.
  func target(_ changes: [(String, String?)]) -> String { target(asOf: asOfText, changes) }

  /// The visit of the same screen at another moment, alone.
  func visit(asOf moment: String?) -> Visit {
    var visit = self
    visit.change([("as_of", moment), ("beside", nil)])
    return visit
  }

  /// The same visit by another streak rule; `nil` means the book's.
  func by(rule: String?) -> Visit {
    var visit = self
    visit.change([("rule", rule)])
    return visit
  }

  private mutating func change(_ changes: [(String, String?)]) {
    var items = request.query.items.filter { item in
      !item.value.isEmpty && !changes.contains { $0.0 == item.name }
    }
    items += changes.compactMap { name, value in value.map { .init(name, $0) } }
    request.query.items = items
  }

  /// The address of a screen as of a day; the present one for a day that is not over.
  func target(_ path: String, asOf day: Day) -> String {
    let isOver = clock.end(of: day, in: zones).map { $0 <= now } ?? false
    return isOver ? path + "?as_of=\(day)" : path
  }

  /// An address of another screen at the same moment.
  func link(_ path: String) -> String {
    let items = ["as_of", "rule"].compactMap { name in request.query[name].map { (name, $0) } }
    guard !items.isEmpty else { return path }
    return path + (path.contains("?") ? "&" : "?") + PercentCode.query(items)
  }

  /// A visit of another address of the page by the same person.
  ///
  /// - Throws: ``PageRefusal``.
  func at(_ target: String) throws -> Visit {
    try Visit(WireRequest(of: target, like: request), guest, language, service)
  }

  /// An address of another screen about a day, at the same moment.
  func link(_ path: String, on day: Day?, at place: String) -> String {
    link(path + (day.map { "?on=\($0)" } ?? "")) + "#" + place
  }

  // MARK: Questions

  /// Asks a question at the moment, about the day and by the rule of the address, as far as they mean something to it.
  ///
  /// - Parameters:
  ///   - name: The question.
  ///   - fields: Its columns.
  /// - Returns: The answer.
  /// - Throws: ``PageRefusal`` with the sentence of the refusal.
  func ask(_ name: String, _ fields: [(String, String)] = []) async throws -> JSON {
    try await ask(name, fields, on: on)
  }

  /// Asks a question about a day; `nil` means today.
  func ask(_ name: String, _ fields: [(String, String)], on day: Day?) async throws -> JSON {
    var items = fields.map { WireQuery.Item($0.0, $0.1) }
    let axes = QuestionRequest.form(of: name)?.axes ?? []
    if axes.contains(.asOf), let asOf { items.append(.init("as_of", asOf.description)) }
    if axes.contains(.on), let day { items.append(.init("on", day.description)) }
    if axes.contains(.rule), let rule { items.append(.init("rule", rule)) }
    return try await answer(WireRequest(.get, ["ask", name], query: WireQuery(items)))
  }

  /// Asks what would be otherwise after some commands, at the moment of the address.
  func suppose(_ commands: [JSON]) async throws -> JSON {
    var members: [JSON.Member] = [.init("ask", "whatif"), .init("commands", .array(commands))]
    if let asOf { members.append(.init("as_of", .string(asOf.description))) }
    if let rule { members.append(.init("rule", .string(rule))) }
    return try await answer(
      WireRequest(
        .post, ["ask"], headers: [.contentType: "application/json"],
        body: Array(JSON.object(members).encoded.utf8)))
  }

  private func answer(_ question: WireRequest) async throws -> JSON {
    let answer = await service.api.answer(question, for: guest.account)
    let json = try? JSON(parsing: answer.body)
    guard answer.status == .ok, let found = json?["ok"] else {
      throw PageRefusal(answer)
    }
    return found
  }

  // MARK: Words

  /// A sentence of the page in the person's language.
  func say(_ key: String, _ values: [String: String] = [:]) -> String {
    language.words.say(key, values)
  }

  /// The moment of the address in words; `nil` for the present. A day is told as a day: its end is in the next one for
  /// whoever begins it at four.
  var momentSaid: String? {
    asOf.map { asOfText.flatMap { Day($0) } == nil ? shown($0) : language.shown(today) }
  }

  /// An instant as the person reads it, in their zone.
  func shown(_ instant: Instant) -> String { language.shown(instant, in: clock.timeZone) }
}

extension HTTPField.Name {
  // The name is valid; the fallback is never used.
  static let pageRefresh = Self("Daybook-Refresh") ?? .via
}
