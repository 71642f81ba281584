import Avro
import Wire

/// The rule by which a screen's streaks are judged, and which streaks another rule changes.
struct RuleSwitch {
  private let visit: Visit
  private let rules: [JSON]
  private let changes: [(name: String, link: String, before: Int, after: Int)]

  /// The rule that a book uses.
  private static let usual = "daybook"

  /// Asks for the rules, and for the streaks by the rule of the address and by the book's.
  ///
  /// - Throws: ``PageRefusal``.
  init(_ visit: Visit) async throws {
    self.visit = visit
    rules = try await visit.ask("rules").elements ?? []
    guard let rule = visit.rule, rule != Self.usual else {
      changes = []
      return
    }
    let after = try await visit.ask("streaks").elements ?? []
    let before = try await visit.by(rule: nil).ask("streaks").elements ?? []
    let lengths = Dictionary(
      before.map { ($0["habit"]?.text ?? "", $0["current"]?.integer ?? 0) }
    ) { first, _ in first }
    changes = after.compactMap { streak in
      let habit = streak["habit"]?.text ?? ""
      let (was, would) = (lengths[habit] ?? 0, streak["current"]?.integer ?? 0)
      guard was != would else { return nil }
      return (streak["name"]?.text ?? "", visit.link("/habits/\(habit)") + "#why", was, would)
    }
  }

  var fields: Fields {
    let words = visit.language.words
    return [
      "rules": rules.map { rule -> Fields in
        let name = rule["name"]?.text ?? ""
        return [
          "name": name, "about": rule["about"]?.text ?? "",
          "chosen": name == visit.rule ?? Self.usual,
        ]
      },
      "kept": visit.request.query.items.filter {
        ["as_of", "on", "search", "beside"].contains($0.name) && !$0.value.isEmpty
      }.map { ["name": $0.name, "value": $0.value] as Fields },
      "is_other": visit.rule.map { $0 != Self.usual } ?? false,
      "changes": changes.map { change -> Fields in
        [
          "name": change.name, "link": change.link, "before": words.count("days", change.before),
          "after": words.count("days", change.after),
        ]
      },
      "same": changes.isEmpty,
    ]
  }
}
