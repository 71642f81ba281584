import Avro
import Daybook
import HTTPTypes
import Testing
import Wire

@testable import DaybookTables

/// Rows recognised by another service's id: Google events (MC-10).
@Suite(.tags(.unit)) struct RowRecognitionTests {
  private static let told = "return=representation"
  private static let merge = "return=representation,resolution=merge-duplicates"
  private static let ignore = "return=representation,resolution=ignore-duplicates"
  private static let byEvent = "calendar_events?on_conflict=google_event_id"
  private let garden: Garden
  private let home = "00000000-0000-4000-8000-0000000000e1"
  private let key = "00000000-0000-4000-8000-00000000aaaa"
  private let other = "00000000-0000-4000-8000-00000000bbbb"

  init() async throws {
    var garden = try Garden()
    garden.schema = .together
    self.garden = garden
    _ = await garden.ask(.post, "households", ["id": .string(home), "name": "Home"])
  }

  private func event(
    _ title: String, of name: String = "g1", id: String? = nil, in household: String? = nil
  ) -> JSON {
    var members: [JSON.Member] = [
      .init("google_event_id", .string(name)), .init("title", .string(title)),
      .init("start_time", "2026-03-12T10:00:00Z"),
    ]
    if let id { members.append(.init("id", .string(id))) }
    if let household { members.append(.init("household_id", .string(household))) }
    return .object(members)
  }

  /// The visible calendar events, each with its key and title.
  private func events(by viewer: Viewer = .account(Garden.ada)) async -> [[String?]] {
    let target = "calendar_events?select=id,title&order=title"
    let rows = await garden.ask(.get, target, by: viewer).json?.elements ?? []
    return rows.map { [$0["id"]?.text, $0["title"]?.text] }
  }

  @Test func `an upsert by Google's id updates the event, and the row keeps its key`()
    async
  {
    let first = await garden.ask(.post, Self.byEvent, event("Fair", id: key), prefer: Self.merge)
    #expect(first.status == .created)
    await garden.ask(
      .patch, "calendar_events", ["description": "By the river"], prefer: Self.told)
    for columns in ["google_event_id", "household_id,google_event_id"] {
      let again = await garden.ask(
        .post, "calendar_events?on_conflict=\(columns)",
        event("Fair by \(columns)", id: other, in: home), prefer: Self.merge)
      #expect(again.status == .ok, "\(again.text)")
      let row = again.json?.elements?.first
      #expect(row?["id"]?.text == key)
      #expect(row?["title"]?.text == "Fair by \(columns)")
      #expect(row?["description"]?.text == "By the river", "absent columns stay")
    }
    #expect(await events().count == 1)
  }

  @Test func `an existing event is ignored under any key when duplicates are to be ignored`() async
  {
    await garden.ask(.post, "calendar_events", event("Fair", id: key), prefer: Self.told)
    for target in [Self.byEvent, "calendar_events"] {
      let again = await garden.ask(.post, target, event("Other", id: other), prefer: Self.ignore)
      #expect(again.status == .created && again.json == [], "\(target): \(again.text)")
    }
    #expect(await events() == [[key, "Fair"]])
    let many: JSON = [event("Fair 2"), event("Market", of: "g2")]
    let made = await garden.ask(.post, Self.byEvent, many, prefer: Self.ignore)
    #expect(made.status == .created)
    #expect(made.json?.elements?.map { $0["title"]?.text } == ["Market"])
    #expect(await events().map(\.last) == ["Fair", "Market"])
  }

  @Test func `one request cannot upsert an event twice`() async {
    let twice: JSON = [event("Fair"), event("Fair again")]
    let refused = await garden.ask(.post, Self.byEvent, twice, prefer: Self.merge)
    #expect(refused.refusal == "400 21000")
    #expect(await events().isEmpty)
    let first = await garden.ask(.post, Self.byEvent, twice, prefer: Self.ignore)
    #expect(first.json?.elements?.map { $0["title"]?.text } == ["Fair"])
  }

  @Test func `each household has its own events, and another's are never matched (MC-11)`() async {
    let second = "00000000-0000-4000-8000-0000000000e2"
    await garden.ask(.post, "calendar_events", event("Fair", in: home), prefer: Self.told)
    await garden.ask(.post, "households", ["id": .string(second), "name": "Hut"])
    let made = await garden.ask(.post, Self.byEvent, event("Hut", in: second), prefer: Self.merge)
    #expect(made.status == .created, "\(made.text)")
    #expect(await events().map(\.last) == ["Fair", "Hut"])
    let again = await garden.ask(
      .post, Self.byEvent, event("Hut 2", in: second), prefer: Self.merge)
    #expect(again.status == .ok)
    #expect(await events().map(\.last) == ["Fair", "Hut 2"])

    let ben = Viewer.account(Garden.ben)
    let foreign = await garden.ask(
      .post, Self.byEvent, event("Mine", in: home), prefer: Self.merge, by: ben)
    #expect(foreign.refusal == "403 42501")
    await garden.ask(.post, "households", ["name": "Ben's"], by: ben)
    let own = await garden.ask(.post, Self.byEvent, event("Mine"), prefer: Self.merge, by: ben)
    #expect(own.status == .created)
    #expect(await events(by: ben).map(\.last) == ["Mine"])
    #expect(await events().map(\.last) == ["Fair", "Hut 2"])
  }

  @Test func `a deleted event is not matched, and can be inserted again`() async {
    await garden.ask(.post, Self.byEvent, event("Fair"), prefer: Self.merge)
    await garden.ask(.delete, "calendar_events")
    let back = await garden.ask(.post, Self.byEvent, event("Fair again"), prefer: Self.merge)
    #expect(back.status == .created)
    #expect(await events().map(\.last) == ["Fair again"])
  }

  @Test func `events are filtered by Google's id, with other filters`() async {
    let many: JSON = [event("Fair"), event("Market", of: "g2"), event("Match", of: "g3")]
    await garden.ask(.post, "calendar_events", many)
    await garden.ask(
      .post, "calendar_events", ["title": "Lunch", "start_time": "2026-03-12T10:00:00Z"])
    for (query, titles) in [
      ("google_event_id=eq.g2", ["Market"]), ("google_event_id=in.(g1,g3,g9)", ["Fair", "Match"]),
      ("google_event_id=eq.g9", []), ("google_event_id=is.null", ["Lunch"]),
      ("google_event_id=neq.g2", ["Fair", "Match"]),
      ("google_event_id=eq.g1&title=eq.Match", []),
      ("or=(google_event_id.eq.g1,title.eq.Lunch)", ["Fair", "Lunch"]),
      ("google_event_id=eq.g1&household_id=eq.\(other)", []),
      ("google_event_id=eq.g1&household_id=eq.\(home)", ["Fair"]),
    ] {
      let found = await garden.ask(.get, "calendar_events?select=title&order=title&\(query)")
      #expect(found.json?.elements?.map { $0["title"]?.text ?? "" } == titles, "\(query)")
    }
  }
}
