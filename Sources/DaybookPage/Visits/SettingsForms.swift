import Avro
import Calendar
import Daybook
import DaybookAPI
import DaybookAuth
import DaybookStore
import HTTPTypes
import Values
import Wire

/// What the settings do beside commands: end sessions, bring data in, ask for the paid version, erase (HH-30, DM-13, MO-7,
/// ES-6).
struct SettingsForms {
  private let visit: Visit
  private var service: PageService { visit.service }
  private var account: Key { visit.guest.account }

  init(_ visit: Visit) { self.visit = visit }

  /// Answers a form that was sent to a path after `/settings`.
  ///
  /// - Throws: ``PageRefusal``.
  func answer(_ path: [String]) async throws -> WireResponse {
    switch path {
    case ["sessions"]: try await endSession()
    case ["import"]: try await tryImport()
    case ["import", "confirm"]: try await importFile()
    case ["upgrade"]: try await upgrade()
    case ["erase"]: try await erase()
    default: throw PageRefusal.notFound
    }
  }

  private func form() throws -> PageForm { try PageForm(visit.request, of: visit.guest) }

  // MARK: Sessions

  private func endSession() async throws -> WireResponse {
    guard let session = try form().fields["session"].flatMap({ Key($0) }) else {
      throw PageRefusal.badForm
    }
    if session == visit.guest.session { return await service.doorway.leave(visit.guest) }
    do throws(DatabaseFailure) {
      try await service.doorway.auth.end(session, of: account)
    } catch { throw PageRefusal.unavailable }
    return .redirect(to: "/settings#devices")
  }

  // MARK: Import

  /// Says what a file would bring, and records nothing.
  private func tryImport() async throws -> WireResponse {
    let form = try UploadForm(visit.request, of: visit.guest)
    guard let chosen = form.file, !chosen.bytes.isEmpty else {
      throw refusal("import.no_file")
    }
    let named = form.fields["format"] ?? ""
    guard
      let format = FileImport.Format(rawValue: named)
        ?? FileImport.Format(recognising: chosen.bytes, named: chosen.name)
    else { throw refusal("import.unknown") }
    let file = FileImport(chosen.bytes, as: format, named: chosen.name)
    let answer = try await ask(file, trying: true)
    guard let id = service.uploads.keep(file, of: account, at: visit.now) else {
      throw refusal("import.full")
    }
    return try await show(ImportReport(answer, of: file, visit), upload: id)
  }

  private func importFile() async throws -> WireResponse {
    let form = try form()
    guard let id = form.fields["upload"].flatMap({ Key($0) }),
      let file = service.uploads.take(id, of: account, at: visit.now)
    else { throw refusal("import.gone") }
    let answer: JSON
    do { answer = try await ask(file, trying: false) } catch {
      // The file is still there for another try.
      _ = service.uploads.keep(file, of: account, at: visit.now)
      throw error
    }
    return try await show(ImportReport(answer, of: file, visit), upload: nil)
  }

  private func ask(_ file: FileImport, trying isTrial: Bool) async throws -> JSON {
    let query = WireQuery([.init("dry_run", isTrial ? "true" : "false"), .init("name", file.name)])
    let answer = await service.api.answer(
      WireRequest(.post, ["import", file.format.rawValue], query: query, body: file.bytes),
      for: account)
    let json = try? JSON(parsing: answer.body)
    guard answer.status == .ok, let found = json?["ok"] else {
      var refusal = PageRefusal(answer)
      // The rules refuse a line of a file; only the API's sentence says which one.
      if refusal.code.flatMap({ RejectionCode(rawValue: $0) }) != nil { refusal.code = nil }
      refusal.back = "/settings#data"
      throw refusal
    }
    return found
  }

  private func show(_ report: ImportReport, upload: Key?) async throws -> WireResponse {
    var fields = report.fields
    fields["upload"] = upload?.description ?? Nothing() as Any
    let title = visit.say(upload == nil ? "import.done" : "import.title")
    // The frame's links and its slider lead to the settings: nothing is at this form's address.
    return try await service.pages.show(
      Content("import", title, fields), for: try visit.at("/settings"))
  }

  private func refusal(_ sentence: String) -> PageRefusal {
    var refusal = PageRefusal(.unprocessableContent, sentence)
    refusal.back = "/settings#data"
    return refusal
  }

  // MARK: The paid version

  private func upgrade() async throws -> WireResponse {
    _ = try form()
    guard let checkout = service.settings.checkout else { throw PageRefusal.notFound }
    let answer = await checkout(account)
    let json = try? JSON(parsing: answer.body)
    guard answer.status == .ok, let url = json?["url"]?.text, url.hasPrefix("https://") else {
      var refusal = PageRefusal(
        answer.status == .ok ? .badGateway : answer.status,
        json?["error"]?.text ?? "refused.unavailable")
      refusal.back = "/settings#premium"
      throw refusal
    }
    // A form must not lead to another site, but a link may.
    return service.pages.notice(
      "premium.title", "premium.ready", link: (url, "premium.go"), in: visit.language)
  }

  // MARK: Erasure

  private func erase() async throws -> WireResponse {
    let form = try form()
    let name = try await visit.ask("profile")["display_name"]?.text ?? ""
    guard (form.fields["name"] ?? "").trimmed == name.trimmed else {
      var refusal = PageRefusal(.unprocessableContent, "erase.wrong_name")
      refusal.back = "/settings/erase"
      throw refusal
    }
    do { try await service.api.erase(account) } catch { throw PageRefusal.unavailable }
    service.uploads.forget(account)
    // If this fails, the account's tokens are void all the same, and the server clears the rest later.
    try? await service.doorway.auth.forget(account: account)
    return service.doorway.forgettingCookies(
      service.pages.notice(
        "erase.done_title", "erase.done", link: ("/enter", "enter.title"), in: visit.language))
  }
}

extension Visit {
  /// Everything of the person as a file to keep, as of the moment of the address (DM-13).
  ///
  /// - Throws: ``PageRefusal``.
  func export(_ path: [String]) async throws -> WireResponse {
    guard let format = path.first, path.count == 1 else { throw PageRefusal.notFound }
    if asOfText != nil, asOf == nil { throw PageRefusal(.badRequest, "refused.moment") }
    let query = asOf.map { WireQuery([.init("as_of", $0.description)]) } ?? WireQuery()
    var answer = await service.api.answer(
      WireRequest(.get, ["export", format], query: query), for: guest.account)
    guard answer.status == .ok else {
      guard answer.status != .notFound else { throw PageRefusal.notFound }
      throw PageRefusal(answer)
    }
    answer.headers[.contentDisposition] = "attachment; filename=\"daybook-\(today).\(format)\""
    return answer
  }
}
