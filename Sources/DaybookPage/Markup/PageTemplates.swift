import Avro
import Calendar
import Daybook
import DaybookStore
import HTTPTypes
import Mustache
import Pictures
import Values
import Wire

/// What a screen shows: a template, and what it is filled with.
struct Content {
  /// The name of the template.
  let template: String
  let title: String
  var fields: Fields
  /// What the slider through time shows of the book.
  var timeline: Timeline
  /// The colours to show the screen in, where they are not the person's own: those that they are about to choose.
  var theme: String?

  init(
    _ template: String, _ title: String, _ fields: Fields, _ timeline: Timeline = Timeline()
  ) {
    self.template = template
    self.title = title
    self.fields = fields
    self.timeline = timeline
  }
}

/// The values of a template by their names. Every text is escaped where the template shows it, but pictures: those are made of
/// `SVG` alone, which escapes.
typealias Fields = [String: Any]

/// Nothing to show: an empty text, and no section.
struct Nothing: MustacheCustomRenderable {
  var renderText: String { "" }
  var isNull: Bool { true }
}

/// Text of a page, as HTML. Every scalar that HTML gives a meaning is escaped, also where it is a part of a larger character,
/// which the library's own escaping passes over. Lines stay lines, for fields of a form with many. A template that shows text
/// begins with this type.
struct PageText: MustacheContentType {
  func escapeText(_ text: String) -> String {
    // Most texts are one line.
    guard text.utf8.contains(UInt8(ascii: "\n")) else { return SVG.escaped(text) }
    let lines = text.onUnixLines.unicodeScalars.split(
      separator: "\n", omittingEmptySubsequences: false)
    return lines.map { SVG.escaped(String(String.UnicodeScalarView($0))) }
      .joined(separator: "\n")
  }
}

/// Fills templates.
struct PageTemplates: Sendable {
  private let takesCodes: Bool

  /// - Parameter takesCodes: Whether people sign in by codes that are sent to them.
  init(takesCodes: Bool = true) { self.takesCodes = takesCodes }

  /// The templates of whole screens. They are a part of the program, so it parses them once.
  private static let screens = MustacheLibrary(templates: templates)

  /// The same templates, of which each fills the main part of a screen alone.
  private static let parts = {
    var templates = Self.templates
    templates["frame"] = template("frame", "{{% CONTENT_TYPE: PAGE}}\n{{$main}}{{/main}}\n")
    return MustacheLibrary(templates: templates)
  }()

  private static let templates = {
    MustacheContentTypes.register(PageText(), named: "PAGE")
    var templates: [String: MustacheTemplate] = [:]
    for (name, bytes) in Asset.templates {
      templates[name] = template(name, String(decoding: bytes, as: UTF8.self))
    }
    templates["shapes"] = template(
      "shapes",
      "<svg class=\"shapes\" aria-hidden=\"true\"><defs>\(CombShape.definitions)\(signs)</defs></svg>"
    )
    return templates
  }()

  /// A template of the page's own, which a test has parsed.
  private static func template(_ name: String, _ text: String) -> MustacheTemplate {
    do {
      return try MustacheTemplate(string: text)
    } catch {
      preconditionFailure("The template \(name) is wrong: \(error)")
    }
  }

  /// The signs of the page itself: a day as it would be, and a day that was changed after it was over.
  private static let signs =
    "<g id=\"supposed\"><circle class=\"supposed-ring\" r=\"7.6\"/></g>"
    + "<g id=\"late-mark\"><path class=\"late-mark\" d=\"M0 -4L4 0L0 4L-4 0Z\"/></g>"

  private func page(
    _ template: String, _ fields: Fields, _ status: HTTPResponse.Status = .ok
  ) -> WireResponse {
    let text = Self.screens.render(fields, withTemplate: template) ?? ""
    return WireResponse(
      status, headers: [.contentType: "text/html; charset=utf-8"], body: Array(text.utf8))
  }

  private func frame(_ language: Language, _ title: String) -> Fields {
    [
      "t": language.words.fields, "language": language.code, "direction": language.direction,
      "title": title, "theme": "honey",
      "styles": Asset.address(of: "page.css"), "script": Asset.address(of: "page.js"),
      "icon": Asset.address(of: "icon.svg"), "signed_in": false, "wall": false,
      "scripts": Asset.scriptNames.map { Asset.address(of: $0) },
      // Each form gets its own, so a form that is sent twice is carried out once.
      // The library would parse a text as a template; it writes any other value as it is.
      "new_id": MustacheLambda { Key() },
    ]
  }

  // MARK: Screens

  /// Shows a screen to a person, at the moment of the address or at two.
  ///
  /// - Throws: ``PageRefusal``.
  func show(_ screen: any Screen, for visit: Visit) async throws -> WireResponse {
    let content =
      visit.isBeside
      ? try await Beside(screen, visit, self).content : try await screen.content(visit)
    return try await show(content, for: visit)
  }

  /// Shows what a screen or a form came to.
  ///
  /// - Throws: ``PageRefusal``.
  func show(_ content: Content, for visit: Visit) async throws -> WireResponse {
    var fields = frame(content.title, for: visit)
    if let theme = content.theme { fields["theme"] = theme }
    if !visit.isWall { fields["slider"] = try await Slider(visit, content.timeline).fields }
    fields["putting_back"] = try await PutBack(visit)?.fields ?? Nothing() as Any
    let cookies = visit.service.doorway.names
    if let done = visit.request.headers.cookies[cookies.done], let position = Int(done),
      !visit.isPast, !visit.isRefresh
    {
      fields["done"] = ["position": String(position)] as Fields
    }
    let frame = Set(fields.keys)
    assert(content.fields.keys.allSatisfy { !frame.contains($0) || $0 == "theme" })
    fields.merge(content.fields) { framed, _ in framed }
    var response = page(content.template, fields)
    // Settings may show what signs people in, so browsers do not keep them.
    if visit.request.path.first != "settings" {
      response.headers[.pageAccount] = visit.guest.mark
    }
    if fields["done"] != nil {
      response.headers.append(
        .init(name: .setCookie, value: cookies.cookie(cookies.done, "", seconds: 0)))
    }
    return response
  }

  private func frame(_ title: String, for visit: Visit) -> Fields {
    var fields = frame(visit.language, title)
    let path = visit.request.path
    fields["signed_in"] = true
    fields["theme"] = visit.theme
    fields["token"] = visit.guest.formToken
    fields["account"] = visit.guest.mark
    fields["position"] = String(visit.position)
    fields["here"] = visit.request.target
    fields["here_now"] = visit.target(asOf: nil)
    fields["present"] = !visit.isPast
    fields["past"] = visit.isPast
    fields["wall"] = visit.isWall
    fields["places"] = places(visit).map { place -> Fields in
      [
        "name": visit.say("place.\(place.isEmpty ? "today" : place)"),
        "link": visit.link("/" + place), "current": path.first ?? "" == place,
      ]
    }
    return fields
  }

  /// The main part of a screen by itself. Nothing can be recorded in it.
  func part(_ content: Content, for visit: Visit) -> String {
    var fields = frame(content.title, for: visit)
    fields["present"] = false
    fields["past"] = false
    fields["in_part"] = true
    fields.merge(content.fields) { framed, _ in framed }
    return Self.parts.render(fields, withTemplate: content.template) ?? ""
  }

  /// The places of the navigation.
  private func places(_ visit: Visit) -> [String] {
    ScreenList.places.filter { !visit.isWall || ScreenList.wall.contains($0) }
  }

  /// Says why something was refused, with the fields of the form to be corrected.
  ///
  /// - Parameters:
  ///   - refusal: The refusal.
  ///   - language: The language.
  ///   - token: The token of the session's forms; `nil` when nobody is signed in.
  /// - Returns: The answer.
  func answer(
    _ refusal: PageRefusal, in language: Language, token: String? = nil
  ) -> WireResponse {
    let title = refusal.isUnsent ? "enter.kept_title" : "refused.title"
    var fields = frame(language, language.words.say(title))
    fields["sentence"] = refusal.said(in: language.words)
    fields["back"] = refusal.back
    // What a person did not type is sent again as it is.
    let hidden: Set = [
      "do", "back", "habit", "task", "goal", "key", "again", "p_hive_id", "day", "position",
      "since", "label", "labels", "had_labels", "parent_task_id", "bucket_key", "repeat",
      "household", "recipe", "meal", "item", "list", "staple", "event",
    ]
    let kept = { (name: String) in hidden.contains(name) || name.hasPrefix("was_") }
    let typed = refusal.form.filter { !kept($0.name) && $0.name != "id" }
    fields["can_correct"] = token != nil && (!typed.isEmpty || refusal.isUnsent)
    fields["token"] = token
    fields["kept"] = refusal.form.filter { kept($0.name) }
      .map { ["name": $0.name, "value": $0.value] as Fields }
    fields["typed"] = typed.map { field -> Fields in
      [
        "name": field.name, "label": language.words.name(ofField: field.name),
        "value": field.value, "many": field.value.contains { $0.isNewline },
      ]
    }
    return page("refused", fields, refusal.status)
  }

  /// What a browser shows that has no connection and has not seen a screen before.
  func offline(in language: Language) -> WireResponse {
    page("offline", frame(language, language.words.say("offline.title")))
  }

  /// Shows a screen to somebody who need not be signed in.
  func show(_ content: Content, in language: Language) -> WireResponse {
    page(
      content.template,
      frame(language, content.title).merging(content.fields) { framed, _ in framed })
  }

  /// Says something to somebody who has just signed out or been erased, or needs one more step.
  func notice(
    _ title: String, _ sentence: String, link: (address: String, words: String)? = nil,
    in language: Language
  ) -> WireResponse {
    var fields = frame(language, language.words.say(title))
    fields["sentence"] = language.words.say(sentence)
    fields["link"] = link?.address ?? Nothing() as Any
    fields["link_words"] = link.map { language.words.say($0.words) } ?? ""
    return page("notice", fields)
  }

  // MARK: Sign-in

  /// Asks somebody to sign in who sent a form after their session had ended, and keeps the form.
  func enter(keeping form: PageForm, in language: Language) -> WireResponse {
    var fields = frame(language, language.words.say("enter.title"))
    fields["back"] = form.back
    fields["kept"] = form.kept
    fields["refused"] = language.words.say("enter.ended")
    fields["link"] = Nothing()
    return page("enter", fields, .unauthorized)
  }

  /// Asks for an address, or lets in with the token of a link.
  func enter(_ request: WireRequest, in language: Language) -> WireResponse {
    var fields = frame(language, language.words.say("enter.title"))
    fields["back"] = PageForm.own(request.query["back"])
    guard takesCodes else {
      let isUsed = request.query["link"] != nil
      fields["sentence"] = language.words.say(isUsed ? "enter.used" : "enter.only_link")
      return page("enter_link", fields, isUsed ? .forbidden : .ok)
    }
    fields["link"] = request.query["link"] ?? Nothing() as Any
    return page("enter", fields)
  }

  /// Asks for an address again.
  func enter(_ form: PageForm, refused refusal: PageRefusal, in language: Language) -> WireResponse
  {
    var fields = frame(language, language.words.say("enter.title"))
    fields["back"] = form.back
    fields["kept"] = form.keptBefore ?? Nothing() as Any
    fields["address"] = form.fields["address"] ?? ""
    fields["refused"] = refusal.said(in: language.words)
    fields["link"] = Nothing()
    return page("enter", fields, refusal.status)
  }

  /// Asks for the code that was sent.
  func enterCode(
    _ form: PageForm, _ address: String, refused refusal: PageRefusal? = nil, in language: Language
  ) -> WireResponse {
    var fields = frame(language, language.words.say("enter.title"))
    fields["back"] = form.back
    fields["kept"] = form.keptBefore ?? Nothing() as Any
    fields["address"] = address
    fields["sent"] = language.words.say("enter.sent", ["address": address])
    fields["refused"] = refusal.map { $0.said(in: language.words) } ?? Nothing() as Any
    return page("enter_code", fields, refusal?.status ?? .ok)
  }
}

extension Words {
  /// What a field of a form is called.
  fileprivate func name(ofField column: String) -> String {
    let key = "field.\(column)"
    return has(key) ? say(key) : column
  }
}

extension HTTPField.Name {
  // The name is valid; the fallback is never used.
  /// Names the account whose screen it is, for the script that keeps screens.
  static let pageAccount = Self("Daybook-Account") ?? .via
}

extension JSON {
  /// The value for a template: null and an empty text are nothing.
  var shown: Any {
    switch self {
    case .null: Nothing()
    case .bool(let value): value
    case .number(let text): text
    case .string(let text): text.isEmpty ? Nothing() : text
    case .array(let elements): elements.map(\.shown)
    case .object: fields
    }
  }

  /// The members of an object for a template.
  var fields: Fields {
    Fields(members?.map { ($0.name, $0.value.shown) } ?? []) { _, last in last }
  }
}
