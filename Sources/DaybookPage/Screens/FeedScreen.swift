import Avro
import Calendar
import Wire

/// What happened, newest first: one's own days and milestones, and those of one's hives (HH-24).
struct FeedScreen: Screen {
  func content(_ visit: Visit) async throws -> Content {
    var fields: [(String, String)] = [("limit", "50")]
    if let before = visit.request.query["before"], Int(before) != nil {
      fields.append(("before", before))
    }
    let feed = try await visit.ask("feed", fields)
    let entries = (feed["entries"]?.elements ?? []).map { FeedEntry($0, visit).fields }
    let next = feed["next"]?.integer.map { visit.link("/feed?before=\($0)") }
    return Content(
      "feed", visit.say("place.feed"),
      ["entries": entries, "any": !entries.isEmpty, "next": next ?? Nothing() as Any],
      Timeline(hasDay: true))
  }
}

/// An entry of the feed as a sentence.
struct FeedEntry {
  private let entry: JSON
  private let visit: Visit

  init(_ entry: JSON, _ visit: Visit) {
    self.entry = entry
    self.visit = visit
  }

  var fields: Fields {
    let key = "feed.\(entry["type"]?.text ?? "")" + (entry["own"]?.boolean == true ? ".own" : "")
    let hive = entry["hive"]?.text
    let said = visit.say(
      key,
      [
        "who": entry["actor_name"]?.text ?? "", "habit": entry["habit_name"]?.text ?? "",
        "hive": entry["hive_name"]?.text ?? "",
        "days": visit.language.words.count("days", entry["streak"]?.integer ?? 0),
      ])
    let link =
      entry["habit"]?.text.map { visit.link("/habits/\($0)") }
      ?? hive.map { visit.link("/hives/\($0)") }
    return [
      "said": said, "link": link ?? Nothing() as Any,
      "day": entry["day"]?.text.flatMap { Day($0) }.map { visit.language.shown($0) } ?? "",
      "is_milestone": entry["type"]?.text == "streak_milestone",
    ]
  }
}
