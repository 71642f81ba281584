import Avro
import Calendar
import Wire

/// The profile and how the page speaks (HH-30, DG-9, MO-8).
struct SettingsScreen: Screen {
  func content(_ visit: Visit) async throws -> Content {
    let profile = try await visit.ask("profile")
    let theme = profile["theme"]?.text ?? "honey"
    var fields = profile.fields
    fields["since"] =
      profile["created_at"]?.text.flatMap { Instant($0) }.map { visit.shown($0) } ?? ""
    fields["themes"] = ["honey", "mint", "night"].map {
      ["key": $0, "name": visit.say("theme.\($0)"), "chosen": $0 == theme] as Fields
    }
    let hour = profile["day_start_hour"]?.integer ?? 4
    fields["hours"] = (0...23).map {
      ["key": String($0), "name": "\($0):00", "chosen": $0 == hour] as Fields
    }
    return Content("settings", visit.say("place.settings"), fields)
  }
}
