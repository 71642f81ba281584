import Avro
import Daybook
import Foundation
import Values
import Wire

/// The first steps as a list, to begin with or to come back to (HH-5).
struct WelcomeScreen: Screen {
  func content(_ visit: Visit) async throws -> Content {
    let steps = WelcomeStep.allCases.map { step -> Fields in
      [
        "number": String(step.rawValue), "name": visit.say("welcome.\(step.name)"),
        "about": visit.say("welcome.\(step.name)_about"), "link": "/welcome/\(step.rawValue)",
      ]
    }
    return Content("welcome", visit.say("welcome.title"), ["steps": steps])
  }
}

/// The five steps.
enum WelcomeStep: Int, CaseIterable {
  case look = 1
  case habits, day, friends, notices

  /// The name in the page's words.
  var name: String { "\(self)" }

  /// The step's own fields, which it asks for anew.
  var fields: Set<String> {
    switch self {
    case .look: ["theme"]
    case .habits: ["habits"]
    case .day: ["timezone", "day_start_hour"]
    case .friends: []
    case .notices: ["notifications_enabled", "notification_times"]
    }
  }
}

/// One of the five steps.
///
/// A new account's choices travel from step to step in the address, and the last step records all of them in one commit:
/// the habits must begin on a day of the clock that was chosen. Whoever took the steps before changes the profile at once.
struct WelcomeStepScreen: Screen {
  let step: WelcomeStep

  func content(_ visit: Visit) async throws -> Content {
    let profile = try await visit.ask("profile")
    let isNew = profile["onboarded_at"] == .null
    let choices = WelcomeChoices(visit)
    let refused = isNew ? choices.fault(before: step) : nil
    let step = refused?.step ?? step
    let next = step.rawValue + 1
    let isLast = step == .notices
    let here = "/welcome/\(step.rawValue)"
    var fields: Fields = [
      "step_number": String(step.rawValue), "step_count": String(WelcomeStep.allCases.count),
      "step_name": visit.say("welcome.\(step.name)"),
      "step_about": visit.say("welcome.\(step.name)_about"),
      "step_said": visit.say(
        "welcome.step",
        ["number": String(step.rawValue), "count": String(WelcomeStep.allCases.count)]),
      "dots": WelcomeStep.allCases.map {
        ["shape": $0.rawValue < step.rawValue ? "done" : $0 == step ? "open" : "future"] as Fields
      },
      "is_new": isNew, "is_again": !isNew, "is_last": isLast, "goes_on": !isLast,
      "next": isLast ? "/" : choices.target("/welcome/\(next)"),
      "next_path": isLast ? "/" : "/welcome/\(next)",
      "before": step == .look
        ? Nothing() : choices.target("/welcome/\(step.rawValue - 1)") as Any,
      "again": choices.target(here),
      "carried": choices.items(without: step).map { ["name": $0.0, "value": $0.1] as Fields },
      "refused": refused?.sentence ?? visit.refusedSentence(),
    ]
    for other in WelcomeStep.allCases { fields["is_\(other.name)"] = other == step }
    try await fill(&fields, step, choices, profile, visit)
    var content = Content("welcome_step", visit.say("welcome.\(step.name)"), fields)
    if isNew, let theme = choices["theme"], Theme(rawValue: theme) != nil {
      content.theme = theme
    }
    return content
  }

  private func fill(
    _ fields: inout Fields, _ step: WelcomeStep, _ choices: WelcomeChoices, _ profile: JSON,
    _ visit: Visit
  ) async throws {
    switch step {
    case .look:
      let theme = choices["theme"] ?? profile["theme"]?.text ?? "honey"
      fields["themes"] = ["honey", "mint", "night"].map {
        ["key": $0, "name": visit.say("theme.\($0)"), "chosen": $0 == theme] as Fields
      }
    case .habits:
      let there = Set(
        (try await visit.ask("habits").elements ?? []).compactMap { $0["name"]?.text })
      fields["tiles"] = StarterTile.allCases.map { tile -> Fields in
        let name = visit.say("tile.\(tile.rawValue)")
        return [
          "key": tile.rawValue, "name": name, "there": there.contains(name),
          "chosen": choices.tiles.contains(tile.rawValue),
          "face": ["color": tile.color, "picture": tile.emoji] as Fields,
          "link": "/habits/new?tile=\(tile.rawValue)",
        ]
      }
    case .day:
      let hour = choices["day_start_hour"] ?? profile["day_start_hour"]?.integer.map(String.init)
      // A profile may have a later hour than the steps offer.
      let hours = Set((0...6).map(String.init) + [hour ?? "4"])
      fields["hours"] = hours.sorted { (Int($0) ?? 0) < (Int($1) ?? 0) }.map {
        ["key": $0, "name": "\($0):00", "chosen": $0 == hour] as Fields
      }
      fields["zone"] =
        visit.typed("timezone") ?? choices["timezone"] ?? profile["timezone"]?.text ?? ""
      fields["zones"] = TimeZone.knownTimeZoneIdentifiers.sorted()
    case .friends:
      let hives = try await visit.ask("hives").elements ?? []
      fields["hives"] = hives.map {
        [
          "name": $0["name"]?.text ?? "", "link": "/hives/\($0["hive"]?.text ?? "")",
          "members": visit.language.words.count("members", $0["member_count"]?.integer ?? 0),
        ] as Fields
      }
      fields["any_hives"] = !hives.isEmpty
      fields["typed_code"] = visit.typed("p_code") ?? ""
    case .notices:
      let times = (profile["notification_times"]?.elements ?? []).compactMap(\.text)
      fields["notices_on"] = profile["notifications_enabled"]?.boolean == true
      fields["notice_times"] = (times.isEmpty ? ["20:00"] : times) + [""]
      fields["starters"] = choices.starters(visit)
    }
  }
}

/// What was chosen in the steps so far, as the address holds it.
private struct WelcomeChoices {
  private let chosen: [(name: String, value: String)]
  private let visit: Visit

  init(_ visit: Visit) {
    self.visit = visit
    let names = WelcomeStep.allCases.reduce(into: Set<String>()) { $0.formUnion($1.fields) }
    chosen = visit.request.query.items.filter { names.contains($0.name) && !$0.value.isEmpty }
      .map { ($0.name, $0.value) }
  }

  subscript(name: String) -> String? { chosen.last { $0.name == name }?.value }

  /// The tiles that were chosen, and are there.
  var tiles: [String] {
    chosen.filter { $0.name == "habits" && StarterTile(rawValue: $0.value) != nil }.map(\.value)
  }

  /// The choices of the other steps.
  func items(without step: WelcomeStep) -> [(String, String)] {
    chosen.filter {
      !step.fields.contains($0.name) && $0.name != (step == .notices ? "habits" : "")
    }
    .map { ($0.name, $0.value) }
  }

  /// An address with the choices.
  func target(_ path: String) -> String {
    let items = chosen.map { ($0.name, $0.value) }
    return items.isEmpty ? path : path + "?" + PercentCode.query(items)
  }

  /// The tiles as the last step sends them: each with its name in the person's language.
  func starters(_ visit: Visit) -> [String] {
    tiles.map { tile in
      JSON.object([
        .init("tile", .string(tile)), .init("name", .string(visit.say("tile.\(tile)"))),
      ]).encoded
    }
  }

  /// The step before this one whose choices cannot be kept, and why.
  func fault(before step: WelcomeStep) -> (step: WelcomeStep, sentence: String)? {
    let most = Limit.starterHabits.maximum
    if step.rawValue > WelcomeStep.habits.rawValue, tiles.count > most {
      return (.habits, visit.say("welcome.too_many", ["count": String(most)]))
    }
    let zone = self["timezone"]
    if step.rawValue > WelcomeStep.day.rawValue, let zone, TimeZone(identifier: zone) == nil {
      return (.day, visit.say("welcome.no_zone", ["zone": zone]))
    }
    return nil
  }
}
