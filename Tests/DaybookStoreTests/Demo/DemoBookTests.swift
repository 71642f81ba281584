import Daybook
import Journal
import Testing

import DaybookSamples
@testable import DaybookStore

/// The demo's story leads up to the present, on any day.
@Suite(.tags(.law)) struct DemoBookTests {
  /// A history that ends at an instant.
  private static func state(until now: Instant) throws -> BookState {
    let storage = MemoryStorage()
    let clock = BookClock(now: { now }, freshKey: { Key(high: 0x4000, low: 1 << 63) })
    try Book.create(at: "demo", storage: storage, clock: clock)
    let book = try Book(at: "demo", storage: storage, clock: clock)
    try DemoBook.fill(book, until: now, seed: 12)
    return book.view().state
  }

  /// The days of a week, each at another hour, across the end of a month and a leap day.
  @Test(arguments: 0..<7)
  func `the demo's story works up to any day of the week`(index: Int) throws {
    let start = try #require(Instant("2028-02-25T01:30:00Z"))
    let now = start.advanced(byMilliseconds: Int64(index) * 27 * 3_600_000)
    let state = try Self.state(until: now)
    #expect(state.at <= now)
    #expect(state.accounts.elements.map(\.displayName) == ["Ada", "Ben", "Mei", "Noor"])
    let (ada, home) = (Account.ID.first, Household.ID.first)
    let list = try #require(state.groceryList(of: home, for: ada)?.list)
    #expect(!state.isStale(list))
    #expect(list.items.contains { $0.status == .checked })
    #expect(list.items.contains { $0.status == .open })
    #expect(state.tasks(of: ada).contains { $0.task.completed != nil })
    #expect(state.hives(of: ada).count == 1)
    #expect(state.householdTasks.elements.last?.isComplete == false)
  }

  @Test func `the same seed and end make the same entries`() throws {
    let now = try #require(Instant("2026-07-05T12:00:00Z"))
    let (one, other) = (try Self.state(until: now), try Self.state(until: now))
    #expect(one.digest == other.digest)
  }
}
