import Avro
import Calendar
import Values
import Wire

/// The household at a glance: today's meals, what is due, how far the shopping is, who lives there (MC-1).
struct HouseholdScreen: HouseholdRoom {
  func content(_ home: HouseholdVisit) async throws -> Content {
    let visit = home.visit
    let today = visit.today.description
    let week = try await home.ask("plan", [("week_start", today)])
    let meals = (week["meals"]?.elements ?? []).filter { $0["date"]?.text == today }
    let chores = try await home.ask("chores").elements ?? []
    let due = chores.filter { $0["due_date"]?.day.map { $0 <= visit.today } ?? false }
    let groceries = try await home.ask("groceries")
    let items = groceries["items"]?.elements ?? []
    let inBasket = items.count { $0["is_checked"]?.boolean == true }
    let events =
      try await home.ask("calendar", [("from", today), ("to", today)])["occurrences"]?.elements
      ?? []
    return Content(
      "household", home.household["name"]?.text ?? "",
      [
        "day_said": visit.language.shown(visit.today),
        "others": home.others,
        "meals": meals.map { PlannedMeal($0, home).fields }, "any_meals": !meals.isEmpty,
        "plan_link": home.link("plan"),
        "chores": due.prefix(5).map { Chore($0, home).fields }, "any_due": !due.isEmpty,
        "due_said": visit.language.words.count("chores.due", due.count),
        "chores_link": home.link("chores"),
        "has_list": groceries != .null,
        "basket_said": home.say(
          "groceries.progress", ["done": String(inBasket), "count": String(items.count)]),
        "basket_count": String(inBasket), "item_count": String(max(1, items.count)),
        "groceries_link": home.link("groceries"),
        "events": events.map { Occurrence($0, home).fields }, "any_events": !events.isEmpty,
        "calendar_link": home.link("calendar"),
        "members": members(home), "invite": invite(home),
      ])
  }

  private func members(_ home: HouseholdVisit) -> [Fields] {
    home.members.map { member in
      let isOwn = member["user_id"]?.text == home.visit.guest.account.description
      let joined = member["joined_at"]?.instant.flatMap {
        home.visit.clock.day(of: $0, in: home.visit.zones)
      }
      return [
        "name": member["name"]?.text ?? "", "own": isOwn,
        "since": joined.map {
          home.say("household.since", ["day": home.language.shown($0)])
        } ?? "",
      ]
    }
  }

  /// The code that others join by, while it is valid.
  private func invite(_ home: HouseholdVisit) -> Any {
    guard !home.visit.isPast, let code = home.household["code"]?.text,
      let expiry = home.household["code_expires_at"]?.instant, expiry > home.visit.now
    else { return Nothing() }
    var fields = InvitePicture(code, home.visit).fields
    fields["until"] = home.say("invite.until", ["moment": home.visit.shown(expiry)])
    return fields
  }
}
