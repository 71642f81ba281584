import Avro
import Calendar
import HTTPTypes
import Values
import Wire

/// Restores a thing to its state at the time that the address names. Shows what would change, and the form that does
/// it.
///
/// It is one command, recorded now, that undoes everything recorded about the thing since that time. Nothing of the
/// book is rewritten, and the command can be undone.
struct PutBack {
  private let visit: Visit
  private let key: String
  /// The first entry about the thing after the moment.
  private let position: Int?
  private var differences: Differences?
  private var consequences: JSON?
  /// Why it cannot be put back.
  private var refusal: PageRefusal?

  /// The address that shows what putting a thing back would do.
  static func link(to key: String, _ visit: Visit) -> String {
    let address = visit.target([("beside", nil)])
    return address + (address.contains("?") ? "&" : "?") + "put_back=" + key + "#put-back"
  }

  /// The link beside a thing of a list, by its key; nothing at present, when there is nothing to put back.
  static func offered(to key: JSON?, _ visit: Visit) -> Any {
    guard visit.isPast, let key = key?.text else { return Nothing() }
    return link(to: key, visit)
  }

  /// Asks what it would do; `nil` unless the address asks for it.
  ///
  /// - Throws: ``PageRefusal`` for a thing that the person may not see.
  init?(_ visit: Visit) async throws {
    guard let key = visit.request.query["put_back"], let asOf = visit.asOf else { return nil }
    guard Values.Key(key) != nil else { throw PageRefusal.notFound }
    self.visit = visit
    self.key = key
    let moment: JSON
    do {
      moment = try await visit.ask("moment", [("about", key), ("until", asOf.description)])
    } catch let refusal as PageRefusal where refusal.status == .badRequest {
      throw PageRefusal.notFound
    }
    position = moment["after"]?["position"]?.integer
    guard let position else { return }
    differences = try await Differences(visit, Timeline(about: key))
    do {
      consequences = try await visit.visit(asOf: nil).suppose([
        ["do": "undo", "position": .number(position), "since": true]
      ])
    } catch let found as PageRefusal where found.status.kind == .clientError {
      refusal = found
    }
  }

  var fields: Fields {
    let habits = (consequences?["habits"]?.elements ?? []).map { change -> Fields in
      func days(_ name: String) -> [String] {
        (change[name]?.elements ?? []).map {
          visit.language.words.count("days", $0.integer ?? 0)
        }
      }
      let current = days("current")
      return [
        "name": change["name"]?.text ?? "", "before": current.first ?? "",
        "after": current.last ?? "",
      ]
    }
    return [
      "refusal": refusal?.said(in: visit.language.words) ?? Nothing() as Any,
      "same": position == nil, "can": refusal == nil && position != nil,
      "lines": differences?.back ?? [], "more": differences?.more ?? Nothing(),
      "streaks": habits, "any_streaks": !habits.isEmpty,
      "position": position.map { String($0) } ?? "", "back": visit.target(asOf: nil),
      "moment": visit.say("put_back.title", ["moment": visit.momentSaid ?? ""]),
      "cancel": visit.target(asOf: visit.asOfText),
    ]
  }
}
