import Avro
import Calendar
import Daybook
import DaybookAPI
import DaybookStore
import Pictures
import Values
import Wire

/// One's hives: their shared streaks, and how their day stands (HH-23).
struct HivesScreen: Screen {
  func content(_ visit: Visit) async throws -> Content {
    let hives = (try await visit.ask("hives").elements ?? []).map { HiveSummary($0, visit).fields }
    let habits = visit.isPast ? [] : try await visit.ask("habits").elements ?? []
    return Content(
      "hives", visit.say("place.hives"),
      [
        "hives": hives, "any": !hives.isEmpty,
        "habits": habits.filter { $0["is_active"]?.boolean != false }.map {
          ["key": $0["id"]?.text ?? "", "name": $0["name"]?.text ?? ""] as Fields
        },
      ], Timeline(area: "hives", hasDay: true))
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
    let own = visit.guest.account.description
    let me = members.first { $0["user_id"]?.text == own }
    let isOwner = me?["role"]?.text == "owner"
    fields["longest"] = words.count("days", answer["longest"]?.integer ?? 0)
    fields["members"] = members.map { member -> Fields in
      let state =
        member["done"]?.boolean == true
        ? "done"
        : member["required"]?.boolean == true
          ? "open" : member["left_out"]?.boolean == true ? "left_out" : "free"
      let name = member["display_name"]?.text ?? ""
      let value = member["value"]?.amount.map { visit.language.number($0.description) }
      let isLate = member["late"]?.boolean == true
      return [
        "id": member["user_id"]?.text ?? "", "name": name,
        "is_owner": member["role"]?.text == "owner",
        "is_done": state == "done",
        "said": visit.say("member.\(state)") + (isLate ? ", " + visit.say("member.late") : ""),
        "value_said": state == "open" ? value ?? Nothing() as Any : Nothing(),
        "shape": Self.memberShapes[state] ?? "off",
        "removable": isOwner && member["user_id"]?.text != own
          ? [
            "key": member["user_id"]?.text ?? "",
            "said": visit.say("hive.remove_who", ["name": name]),
          ]
            as Fields : Nothing() as Any,
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
    let isAdvanced = answer["comb"]?.elements?.last?["verdict"]?.text == "advanced"
    fields["advance"] = isAdvanced ? "\(hive) \(answer["day"]?.text ?? "")" : Nothing() as Any
    fields["entries"] = (answer["feed"]?.elements ?? []).map { FeedEntry($0, visit).fields }
    let invites = answer["invites"]?.elements ?? []
    fields["invites"] = invites.compactMap { invite -> Fields? in
      guard invite["revoked"]?.boolean != true,
        let expiry = invite["expires_at"]?.text.flatMap({ Instant($0) }), expiry > visit.now
      else { return nil }
      return InvitePicture(invite["code"]?.text ?? "", visit).fields.merging([
        "until": visit.say("invite.until", ["moment": visit.shown(expiry)])
      ]) { first, _ in first }
    }
    fields["is_owner"] = isOwner
    fields["is_member"] = me != nil
    fields["has_done"] = me?["done"]?.boolean == true
    fields["today"] = answer["day"]?.text ?? ""
    if !visit.isPast { try await addForms(to: &fields, members, isOwner, visit) }
    let day = visit.on ?? visit.today
    // Of a time before they joined, members see the hive, but no audit.
    let audit = try? await visit.ask(
      "audit", [("hive", hive), ("from", day.advanced(by: -13).description)])
    fields["why"] = audit.map { HiveAuditDays($0, visit).fields } ?? []
    fields["has_why"] = audit != nil
    return Content(
      "hive", answer["name"]?.text ?? "", fields, Timeline(about: hive, hasDay: true))
  }

  /// What only the present offers: a value to log, and for its owner the hive's affairs (HH-18).
  private func addForms(
    to fields: inout Fields, _ members: [JSON], _ isOwner: Bool, _ visit: Visit
  ) async throws {
    let target = visit.service.api.book.read { state in
      Values.Key(hive).flatMap { state.hives.number(of: $0) }.flatMap { state.hives[$0] }?.target
    }
    if let target, target != .one { fields["target"] = target.description }
    guard isOwner else { return }
    let known = Set(members.compactMap { $0["user_id"]?.text })
    fields["heirs"] = members.filter { $0["role"]?.text != "owner" }.map {
      ["key": $0["user_id"]?.text ?? "", "name": $0["display_name"]?.text ?? ""] as Fields
    }
    fields["any_heirs"] = members.count > 1
    let friends = (try await visit.ask("matches").elements ?? []).filter {
      !known.contains($0["user_id"]?.text ?? "")
    }
    fields["friends"] = friends.map {
      ["key": $0["user_id"]?.text ?? "", "name": $0["display_name"]?.text ?? ""] as Fields
    }
    fields["any_friends"] = !friends.isEmpty
  }

  fileprivate static let shapes = [
    "advanced": "done", "broken": "missed", "open": "open", "off": "off", "unshared": "off",
    "left_out": CombShape.leftOut.name,
  ]
  private static let memberShapes = [
    "done": "done", "open": "open", "left_out": CombShape.leftOut.name,
  ]
}

/// Why a shared streak is what it is: each day with who was done when, and what advanced or broke it.
private struct HiveAuditDays {
  private let audit: JSON
  private let visit: Visit

  init(_ audit: JSON, _ visit: Visit) {
    self.audit = audit
    self.visit = visit
  }

  var fields: [Fields] {
    (audit["days"]?.elements ?? []).reversed().map { entry in
      let verdict = entry["verdict"]?.text ?? ""
      let lost = entry["broken"]?["lost"]?.integer
      let advanced = entry["advanced"] ?? .null
      return [
        "day": entry["day"]?.text.flatMap { Day($0) }.map(visit.language.shown) ?? "",
        "verdict": visit.say("verdict.\(verdict)"),
        "shape": HiveScreen.shapes[verdict] ?? "future",
        "figures": visit.say(
          "hive.figures",
          [
            "done": String(entry["complete_count"]?.integer ?? 0),
            "needed": String(entry["needed_count"]?.integer ?? 0),
          ]),
        "streak": String(entry["streak"]?.integer ?? 0),
        "members": (entry["members"]?.elements ?? []).map(member),
        "advanced": advanced == .null
          ? Nothing()
          : reference(advanced, "hive.advanced_by", ["who": advanced["by"]?.text ?? ""]) as Any,
        "broken": lost.map {
          visit.say("hive.lost", ["days": visit.language.words.count("days", $0)])
        } ?? Nothing() as Any,
      ]
    }
  }

  private func member(_ member: JSON) -> Fields {
    let name = member["name"]?.text ?? ""
    if let late = member["late"], late != .null {
      return reference(late, "hive.was_late", ["who": name])
    }
    guard let done = member["done"], done != .null else {
      let key = member["required"]?.boolean == true ? "hive.was_missing" : "hive.was_free"
      return ["said": visit.say(key, ["who": name]), "at_said": Nothing(), "then_link": Nothing()]
    }
    return reference(done, "hive.was_done", ["who": name])
  }

  /// An entry, with the way to the book as it was when the entry was recorded.
  private func reference(_ entry: JSON, _ key: String, _ values: [String: String]) -> Fields {
    let at = entry["at"]?.text.flatMap { Instant($0) }
    return [
      "said": visit.say(key, values), "at_said": at.map { visit.shown($0) } ?? "",
      "then_link": at.map { visit.target(asOf: $0.description) } ?? "",
    ]
  }
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
    let id = hive["hive"]?.text ?? ""
    return [
      "id": id, "name": hive["name"]?.text ?? "", "emoji": hive["emoji"]?.shown ?? Nothing(),
      "link": visit.link("/hives/\(id)"), "at_risk": hive["at_risk"]?.boolean == true,
      "streak": visit.language.words.count("days", hive["streak"]?.integer ?? 0),
      "member_count": visit.language.words.count("members", hive["member_count"]?.integer ?? 0),
      "ring": Ring(done: done, of: required).svg(
        label: visit.say("hive.ring", ["done": String(done), "required": String(required)])),
    ]
  }
}
