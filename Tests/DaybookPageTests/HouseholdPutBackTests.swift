import Daybook
import DaybookStore
import HTTPTypes
import Testing
import Wire

/// Things of a household are put back as they were: chores, meals, staples and events (MC-3, MC-6, MC-9, MC-10).
@Suite(.tags(.unit)) struct HouseholdPutBackTests {
  /// The address that shows what putting back the thing of a name would do, as a list of the past offers it.
  private func look(_ name: String, on target: String, _ home: HouseholdHome) async throws
    -> String
  {
    let text = await home.text(target)
    let link = try #require(
      text.pieces(from: "<a class=\"back\" href=\"", to: "</a>").first {
        $0.contains("<span class=\"hidden\">: \(name)</span>")
      }, "\(target) offers nothing for \(name)")
    return String(link.prefix { $0 != "#" }).replacing("&amp;", with: "&")
  }

  /// Puts a thing back, and expects what its room shows before, at the past moment, and afterwards.
  private func putBack(
    _ name: String, in room: String, changed: String? = nil, _ home: HouseholdHome
  ) async throws {
    let past = "/household/\(room)as_of=2026-03-01"
    let look = try await look(name, on: past, home)
    if let changed { #expect(await home.text("/household/\(room)").contains(changed)) }
    #expect(await !home.text("/household/\(room)").contains(name))
    let before = home.world.book.read { $0.position }
    let shown = await home.browser.get(look)
    #expect(shown.text.contains("This would change:"), "\(look)")
    #expect(home.world.book.read { $0.position } == before, "looking changes nothing")
    let done = try await home.browser.submit("undo", on: look)
    #expect(done.status == .seeOther, "\(done.text)")
    #expect(await home.text("/household/\(room)").contains(name))
    #expect(await !home.text("/household/\(room)").contains("class=\"back\""), "not at present")
  }

  @Test func `a chore that was changed, completed and deleted is put back`() async throws {
    let home = try await HouseholdHome()
    try home.record(#"{"do":"create_household_task","title":"Sweep the stairs"}"#)
    let task = try #require(home.world.book.read { $0.householdTasks.elements.last?.key })
    home.world.clock.advance(days: 1)
    try home.record(
      #"{"do":"update_household_task","task":"\#(task)","title":"Mop the hall"}"#)
    try await putBack("Sweep the stairs", in: "chores?", changed: "Mop the hall", home)
    home.world.clock.advance(minutes: 1)
    try home.record(#"{"do":"complete_household_task","task":"\#(task)"}"#)
    try home.record(#"{"do":"delete_household_task","task":"\#(task)"}"#)
    try await putBack("Sweep the stairs", in: "chores?", home)
    #expect(home.world.book.read { $0.householdTasks.elements.last?.isComplete } == false)
  }

  @Test func `a meal that was moved and removed is put back`() async throws {
    let home = try await HouseholdHome()
    try home.record(#"{"do":"plan_meal","title":"Lentil curry","date":"2026-03-05"}"#)
    let meal = try #require(home.world.book.read { $0.meals.elements.last?.key })
    home.world.clock.advance(days: 1)
    try home.record(#"{"do":"update_meal","meal":"\#(meal)","date":"2026-03-12"}"#)
    try home.record(#"{"do":"remove_meal","meal":"\#(meal)"}"#)
    try await putBack("Lentil curry", in: "plan?week=2026-03-02&", home)
  }

  @Test func `a staple that was renamed is put back`() async throws {
    let home = try await HouseholdHome()
    let staple = try #require(home.world.book.read { $0.pantryStaples.elements.last?.key })
    home.world.clock.advance(days: 1)
    try home.record(
      #"{"do":"update_pantry_staple","staple":"\#(staple)","name":"pepper"}"#)
    try await putBack("salt", in: "pantry?", changed: "pepper", home)
  }

  @Test func `an event that was moved and deleted is put back`() async throws {
    let home = try await HouseholdHome()
    try home.record(
      #"{"do":"create_calendar_event","title":"Choir practice","start_time":"2026-03-10"}"#)
    let event = try #require(home.world.book.read { $0.calendarEvents.elements.last?.key })
    home.world.clock.advance(days: 1)
    try home.record(
      #"{"do":"update_calendar_event","event":"\#(event)","start_time":"2026-03-11"}"#)
    try home.record(#"{"do":"delete_calendar_event","event":"\#(event)"}"#)
    try await putBack("Choir practice", in: "calendar?month=2026-03&", home)
  }
}
