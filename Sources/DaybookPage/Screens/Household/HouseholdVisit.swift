import Avro
import Calendar
import Wire

/// A screen of a household. A person without one is asked to create or to join one instead.
protocol HouseholdRoom: Screen {
  /// What it shows of a household at the moment of the address.
  ///
  /// - Throws: ``PageRefusal``.
  func content(_ home: HouseholdVisit) async throws -> Content
}

extension HouseholdRoom {
  func content(_ visit: Visit) async throws -> Content {
    guard let home = try await HouseholdVisit.find(visit) else {
      // Without a household there is no single thing of one.
      guard visit.request.path.count < 3 else { throw PageRefusal.notFound }
      return Content("household_none", visit.say("place.household"), [:])
    }
    var content = try await content(home)
    content.fields.merge(home.fields) { own, _ in own }
    // A room that shows no single thing is about all that the household has.
    if content.timeline.about == nil { content.timeline.area = "household" }
    return content
  }
}

/// A visit of one of a person's households: the one that the address names, or else the first.
struct HouseholdVisit: Sendable {
  let visit: Visit
  /// The household's row, with its members.
  let household: JSON
  /// All of the person's households.
  private let all: [JSON]

  /// The rooms by their path components; the empty one is the overview.
  private static let rooms = [
    "", "chores", "plan", "recipes", "groceries", "pantry", "calendar",
  ]

  /// Finds the household; `nil` for a person who has none at the moment of the address.
  ///
  /// - Throws: ``PageRefusal``; ``PageRefusal/notFound`` for a household that is not the person's.
  static func find(_ visit: Visit) async throws -> HouseholdVisit? {
    let all = try await visit.ask("household").elements ?? []
    guard let key = visit.request.query["household"], !key.isEmpty else {
      return all.first.map { HouseholdVisit(visit: visit, household: $0, all: all) }
    }
    guard let own = all.first(where: { $0["id"]?.text == key }) else { throw PageRefusal.notFound }
    return HouseholdVisit(visit: visit, household: own, all: all)
  }

  var id: String { household["id"]?.text ?? "" }
  var language: Language { visit.language }

  /// The values that all rooms show.
  var fields: Fields {
    let room = visit.request.path.count > 1 ? visit.request.path[1] : ""
    return [
      "household_id": id, "household_name": household["name"]?.text ?? "",
      "household_chosen": all.count > 1 ? id : Nothing() as Any,
      "kept_moment": visit.asOfText ?? Nothing() as Any,
      "rooms": Self.rooms.map { name -> Fields in
        [
          "name": visit.say("room.\(name.isEmpty ? "overview" : name)"), "link": link(name),
          "current": name == room,
        ]
      },
    ]
  }

  /// The person's other households, with their addresses.
  var others: [Fields] {
    all.filter { $0["id"]?.text != id }.map { other in
      [
        "name": other["name"]?.text ?? "",
        "link": visit.link(
          "/household?" + PercentCode.query([("household", other["id"]?.text ?? "")])),
      ]
    }
  }

  /// The address of a room of this household at the same moment.
  func link(_ room: String, _ items: [(String, String)] = []) -> String {
    visit.link(path(room, items))
  }

  /// The address of a room of this household as of an instant.
  func link(_ room: String, _ items: [(String, String)] = [], asOf instant: String) -> String {
    path(room, items + [("as_of", instant)])
  }

  /// The address of a room at present.
  func path(_ room: String, _ items: [(String, String)] = []) -> String {
    let own = items + (all.count > 1 ? [("household", id)] : [])
    let path = "/household" + (room.isEmpty ? "" : "/" + room)
    return own.isEmpty ? path : path + "?" + PercentCode.query(own)
  }

  /// Asks a question about this household.
  ///
  /// - Throws: ``PageRefusal``.
  func ask(_ name: String, _ fields: [(String, String)] = []) async throws -> JSON {
    try await visit.ask(name, fields + [("household", id)])
  }

  func say(_ key: String, _ values: [String: String] = [:]) -> String { visit.say(key, values) }

  // MARK: People

  /// The members, in the order in which they joined.
  var members: [JSON] { household["members"]?.elements ?? [] }

  /// The name of a member; of somebody who is none any more, a word for that.
  func name(of account: String?) -> String? {
    guard let account else { return nil }
    return members.first { $0["user_id"]?.text == account }.map { $0["name"]?.text ?? "" }
      ?? say("household.former")
  }

  /// The members to choose from.
  func people(choosing account: String?) -> [Fields] {
    members.map { member in
      let key = member["user_id"]?.text ?? ""
      return ["key": key, "name": member["name"]?.text ?? "", "chosen": key == account]
    }
  }

  // MARK: Days

  /// A day as people speak of it: today, tomorrow, or its weekday and date.
  func shown(_ day: Day) -> String {
    switch visit.today.distance(to: day) {
    case 0: say("day.today")
    case 1: say("day.tomorrow")
    case -1: say("day.yesterday")
    default: language.shortDay(day)
    }
  }

  /// Two days as a span; one day, if they are the same.
  func shown(_ days: ClosedRange<Day>) -> String {
    let (first, last) = (language.shortDay(days.lowerBound), language.shortDay(days.upperBound))
    return first == last ? first : "\(first) – \(last)"
  }

  /// The day that a part of the address names.
  func day(_ name: String) -> Day? { visit.request.query[name].flatMap { Day($0) } }
}

extension JSON {
  /// The day of a text.
  var day: Day? { text.flatMap { Day($0) } }
  /// The instant of a text.
  var instant: Instant? { text.flatMap { Instant($0) } }
}

/// The choices of a form's field: each with its key and its name.
func choices(_ keys: [String], named name: (String) -> String, choosing chosen: String? = nil)
  -> [Fields]
{
  keys.map { ["key": $0, "name": name($0), "chosen": $0 == chosen] }
}

extension WireRequest {
  /// The request with another value of a part of its query; without it for `nil`.
  func with(_ name: String, _ value: String?) -> WireRequest {
    var request = self
    request.query.items.removeAll { $0.name == name }
    if let value { request.query.items.append(.init(name, value)) }
    return request
  }
}
