import Avro
import Daybook
import DaybookAPI
import DaybookAuth
import DaybookStore
import HTTPTypes
import Values
import Wire

/// The fields of a form that was sent.
struct PageForm: Sendable {
  /// The most bytes of a form: a calendar of some years fits in.
  private static let maximumByteCount = 1_048_576

  let fields: WireQuery

  /// Reads the form of a person who is signed in.
  ///
  /// - Throws: ``PageRefusal`` for a form of another site, or of a session that has ended.
  init(_ request: WireRequest, of guest: Guest) throws {
    try self.init(request)
    guard let token = fields["token"], Secret.areEqual(token, guest.formToken) else {
      throw PageRefusal.staleForm
    }
  }

  /// Reads a form.
  init(_ request: WireRequest) throws {
    guard let type = request.headers[.contentType],
      type.hasPrefix("application/x-www-form-urlencoded")
    else { throw PageRefusal.badForm }
    guard request.body.count <= Self.maximumByteCount else { throw PageRefusal.badForm }
    fields = WireQuery(encoded: String(decoding: request.body, as: UTF8.self))
  }

  /// Refuses a form that another site sent. Browsers say where a form comes from; who says nothing is no browser.
  ///
  /// - Parameters:
  ///   - request: The request with the form.
  ///   - host: The host by which the page was asked.
  /// - Throws: ``PageRefusal``.
  static func checkOrigin(of request: WireRequest, at host: String?) throws {
    if let site = request.headers[.secFetchSite] {
      guard site == "same-origin" || site == "none" else { throw PageRefusal.wrongOrigin }
    } else if let origin = request.headers[.origin] {
      guard origin.split(separator: "/").last.map(String.init) == host else {
        throw PageRefusal.wrongOrigin
      }
    }
  }

  /// The sessions that a sign-out ends: this one unless the form says otherwise.
  var scope: String {
    fields["scope"].flatMap { ["global", "others"].contains($0) ? $0 : nil } ?? "local"
  }

  /// What was kept of a form that was sent before the sign-in.
  var keptBefore: String? { fields["kept"].flatMap { $0.isEmpty ? nil : $0 } }

  /// The form without its token, as one text, to be sent again after a sign-in.
  var kept: String {
    PercentCode.query(
      fields.items.filter { !["token", "id"].contains($0.name) }.map { ($0.name, $0.value) })
  }

  /// The address of the page to go back to. Only one of its own: a form never sends anybody elsewhere.
  var back: String { Self.own(fields["back"]) }

  /// An address, if it is the page's own; else that of today's screen.
  static func own(_ back: String?) -> String {
    guard let back, back.hasPrefix("/"), !back.hasPrefix("//"),
      !back.contains("\\"), back.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F })
    else { return "/" }
    return back
  }

  /// The fields that belong to the command.
  private var columns: [WireQuery.Item] {
    let others: Set = ["token", "back", "do", "id", "again"]
    return FormFields(fields.items.filter { !others.contains($0.name) }).items
  }

  /// The fields that a person filled in, to be corrected.
  var filledIn: [(name: String, value: String)] {
    fields.items.filter { $0.name != "token" }.map { ($0.name, $0.value) }
  }

  /// The commands of the form, in their JSON form: usually one.
  ///
  /// A column's type decides what a text means. An empty field means that there is nothing, which is null where the column
  /// allows it. A list has an element a line, or a field each.
  ///
  /// - Parameter visit: The visit in which it was sent.
  /// - Returns: The commands, which are one commit.
  /// - Throws: ``PageRefusal`` for a form without a command.
  func commands(_ visit: Visit) async throws -> [JSON] {
    guard let name = fields["do"], let columns = Request.columns(of: name) else {
      throw PageRefusal.badForm
    }
    let own = self.columns
    var members: [JSON.Member] = [.init("do", .string(name))]
    let schedule = schedule
    for column in columns {
      if let schedule, column.name.hasPrefix("schedule_") {
        if schedule.name == column.name { members.append(schedule) }
        continue
      }
      let texts = own.filter { $0.name == column.name }.map(\.value)
      guard !texts.isEmpty else { continue }
      guard let value = column.value(of: texts) else { continue }
      members.append(.init(column.name, value))
    }
    if let instant = actedAt(visit) { date(&members, columns, at: instant) }
    guard TaskFields.commands.contains(name) else { return [.object(members)] }
    return try await TaskFields(self, visit).commands(members)
  }

  /// When the person did what the form says, if it waited for a connection. A browser's clock may be ahead.
  func actedAt(_ visit: Visit) -> Instant? {
    fields["acted_at"].flatMap { Instant($0) }.map { min($0, visit.now) }
  }

  /// Gives a command that waited for a connection the instant at which the person did it, if it has one, and names no day.
  private func date(_ members: inout [JSON.Member], _ columns: [Column], at instant: Instant) {
    let names = Set(members.map(\.name))
    for column in columns where !names.contains(column.name) {
      let isMeant =
        switch column.name {
        case "p_at": names.isDisjoint(with: ["day", "p_day"])
        case "completed_at": fields["do"]?.hasPrefix("complete_") == true
        default: false
        }
      if isMeant { members.append(.init(column.name, .string(instant.description))) }
    }
  }

  /// The idempotency key, with which a form that is sent twice is carried out once.
  var id: Key? { fields["id"].flatMap { Key($0) } }
}

extension Column {
  /// The value that the texts of a form mean; `nil` for none at all.
  fileprivate func value(of texts: [String]) -> JSON? {
    if let items = schema.listSchema {
      let lines = texts.flatMap { $0.split(whereSeparator: \.isNewline) }
        .map { $0.trimmed }.filter { !$0.isEmpty }
      return .array(lines.map { items.scalar(of: $0) })
    }
    let text = texts.last ?? ""
    if text.isEmpty {
      if schema.typeNames.contains("null") { return .null }
      return schema.isAnyText ? .string("") : nil
    }
    return schema.scalar(of: text)
  }
}

extension JSON {
  /// The types that a schema names.
  fileprivate var typeNames: [String] {
    if let parts = (self["anyOf"] ?? self["oneOf"])?.elements { return parts.flatMap(\.typeNames) }
    return self["type"]?.text.map { [$0] } ?? self["type"]?.elements?.compactMap(\.text) ?? []
  }

  /// Whether this is the schema of any text, also an empty one.
  fileprivate var isAnyText: Bool {
    self["type"] == "string"
      && ["enum", "pattern", "format", "minLength"].allSatisfy { self[$0] == nil }
  }

  /// The schema of a list's elements, if this is the schema of a list.
  fileprivate var listSchema: JSON? {
    if let parts = (self["anyOf"] ?? self["oneOf"])?.elements {
      return parts.lazy.compactMap(\.listSchema).first
    }
    guard typeNames.contains("array") else { return nil }
    return self["items"] ?? true
  }

  /// The value that a text means under a schema.
  fileprivate func scalar(of text: String) -> JSON {
    let types = typeNames
    if types.contains("boolean"), ["true", "false", "on"].contains(text) {
      return .bool(text != "false")
    }
    // Some languages write 2,5.
    let decimal = text.contains(".") ? text : text.replacing(",", with: ".")
    if types.contains("integer") || types.contains("number"),
      let json = try? JSON(parsing: decimal), case .number = json
    {
      return json
    }
    if types.contains("object"), let json = try? JSON(parsing: text), json.members != nil {
      return json
    }
    return .string(text)
  }
}

extension StringProtocol {
  /// The text without white space at its ends.
  var trimmed: String {
    String(drop { $0.isWhitespace }.reversed().drop { $0.isWhitespace }.reversed())
  }
}

extension HTTPField.Name {
  // The name is valid; the fallback is never used.
  static let secFetchSite = Self("Sec-Fetch-Site") ?? .via
}

extension Visit {
  /// Carries out the command of a form, and goes back to where it was sent from.
  func carryOut() async throws -> WireResponse {
    let form = try PageForm(request, of: guest)
    try checkWall(form.fields["do"])
    let commands = try await form.commands(self)
    var headers: HTTPFields = [.contentType: "application/json"]
    if let id = form.id, let name = HTTPField.Name("Idempotency-Key") {
      headers[name] = id.description
    }
    let body = commands.count == 1 ? try await keepingLines(commands[0]) : .array(commands)
    let answer = await service.api.answer(
      WireRequest(
        .post, ["commands"], headers: headers, body: Array(body.encoded.utf8),
        address: request.address), for: guest.account)
    let json = try? JSON(parsing: answer.body)
    // A form that waited was recorded when it was first sent, and only the answer was lost.
    let isKnown = json?["error"]?["code"]?.text == "key_reused" && form.fields["acted_at"] != nil
    guard answer.status == .ok || isKnown, let json else {
      var refusal = PageRefusal(answer)
      refusal.form = form.filledIn
      refusal.back = form.back
      refusal.again = form.fields["again"].map { PageForm.own($0) }
      throw refusal
    }
    // A form that waited for a connection is not what the person looks at now.
    if request.isFromScript { return WireResponse(.ok, ["ok": true]) }
    if form.fields["do"] == "import_calendar", let row = json["ok"] {
      // What was not understood is told at once: an address could not hold it.
      return try await service.pages.show(
        ImportedCalendar.content(row, back: form.back, self), for: try at(form.back))
    }
    var response = WireResponse.redirect(to: form.back)
    // An undo of one command is not offered to be undone; one that put a thing back is.
    let last = json.elements?.last ?? json
    if let position = last["position"]?.integer,
      form.fields["do"] != "undo" || form.fields["since"] == "true"
    {
      let names = service.doorway.names
      response.headers.append(
        .init(
          name: .setCookie, value: names.cookie(names.done, String(position), seconds: 20)))
    }
    return response
  }
}
