import Avro
import Calendar
import Pictures
import Values
import Wire

/// One's hives: their shared streaks, and how their day stands (HH-23).
struct HivesScreen: Screen {
  func content(_ visit: Visit) async throws -> Content {
    let hives = (try await visit.ask("hives").elements ?? []).map { HiveSummary($0, visit).fields }
    return Content(
      "hives", visit.say("place.hives"), ["hives": hives, "any": !hives.isEmpty])
  }
}

/// A hive: its members with what they did today, its comb, its feed, its invites (HH-17, HH-23).
struct HiveScreen: Screen {
  let hive: String

  func content(_ visit: Visit) async throws -> Content {
    guard Values.Key(hive) != nil else { throw PageRefusal.notFound }
    let answer = try await visit.ask("hive", [("hive", hive)])
    var fields = HiveSummary(answer, visit).fields
    let words = visit.language.words
    let members = answer["members"]?.elements ?? []
    let isMember = members.first { $0["user_id"]?.text == visit.guest.account.description } != nil
    fields["longest"] = words.count("days", answer["longest"]?.integer ?? 0)
    fields["members"] = members.map { member -> Fields in
      let state =
        member["done"]?.boolean == true
        ? "done"
        : member["required"]?.boolean == true
          ? "open" : member["left_out"]?.boolean == true ? "left_out" : "free"
      return [
        "name": member["display_name"]?.text ?? "", "is_owner": member["role"]?.text == "owner",
        "is_done": state == "done", "said": visit.say("member.\(state)"),
        "shape": Self.memberShapes[state] ?? "off",
      ]
    }
    fields["days"] = (answer["comb"]?.elements ?? []).map { day -> Fields in
      let verdict = day["verdict"]?.text ?? ""
      return [
        "shape": Self.shapes[verdict] ?? "future",
        "said": (day["day"]?.text.flatMap { Day($0) }.map(visit.language.shown) ?? "") + ", "
          + visit.say("verdict.\(verdict)"),
      ]
    }
    fields["entries"] = (answer["feed"]?.elements ?? []).map { FeedEntry($0, visit).fields }
    let invites = answer["invites"]?.elements ?? []
    fields["invites"] = invites.compactMap { invite -> Fields? in
      guard invite["revoked"]?.boolean != true,
        let expiry = invite["expires_at"]?.text.flatMap({ Instant($0) }), expiry > visit.now
      else { return nil }
      return [
        "code": invite["code"]?.text ?? "",
        "until": visit.say("invite.until", ["moment": visit.shown(expiry)]),
      ]
    }
    fields["is_owner"] =
      members.first { $0["user_id"]?.text == visit.guest.account.description }?["role"]?.text
      == "owner"
    fields["is_member"] = isMember
    fields["today"] = answer["day"]?.text ?? ""
    return Content("hive", answer["name"]?.text ?? "", fields)
  }

  private static let shapes = [
    "advanced": "done", "broken": "missed", "open": "open", "off": "off", "unshared": "off",
    "left_out": CombShape.leftOut.name,
  ]
  private static let memberShapes = [
    "done": "done", "open": "open", "left_out": CombShape.leftOut.name,
  ]
}

/// A hive's name, streak and day.
private struct HiveSummary {
  private let hive: JSON
  private let visit: Visit

  init(_ hive: JSON, _ visit: Visit) {
    self.hive = hive
    self.visit = visit
  }

  var fields: Fields {
    let (done, required) = (
      hive["complete_count"]?.integer ?? 0, hive["required_count"]?.integer ?? 0
    )
    // The ring's circumference is 100, so that a share is a length.
    let share = required == 0 ? 0 : min(100, 100 * Double(done) / Double(required))
    let id = hive["hive"]?.text ?? ""
    return [
      "id": id, "name": hive["name"]?.text ?? "", "emoji": hive["emoji"]?.shown ?? Nothing(),
      "link": visit.link("/hives/\(id)"), "at_risk": hive["at_risk"]?.boolean == true,
      "streak": visit.language.words.count("days", hive["streak"]?.integer ?? 0),
      "member_count": visit.language.words.count("members", hive["member_count"]?.integer ?? 0),
      "ring": SVG.length(share), "done_count": String(done), "required_count": String(required),
      "ring_said": visit.say("hive.ring", ["done": String(done), "required": String(required)]),
    ]
  }
}
