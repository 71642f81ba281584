import Calendar
import Testing
import Values

@testable import DaybookTables

/// The time of clients' writes, from which `updated_at` follows (DM-6).
@Suite(.tags(.unit)) struct WriteClockTests {
  private let ada = Key(high: 1, low: 1)
  private let ben = Key(high: 1, low: 2)
  private let noon = Instant(clamping: 1_773_144_000_000)

  /// Writes this many times at noon; returns how far ahead each time is, in milliseconds.
  private func leads(_ count: Int, on clock: WriteClock, of account: Key) -> [Int64] {
    var head = Instant.first
    return (0..<count).map { _ in
      head = clock.next(for: account, now: noon, after: head)
      clock.note(head, of: account)
      return head.milliseconds - noon.milliseconds
    }
  }

  @Test func `no account writes twice in a millisecond (DM-6)`() {
    #expect(leads(1000, on: WriteClock(after: .first), of: ada) == Array(0..<1000))
  }

  @Test func `no account advances the common clock by more than a second`() {
    let clock = WriteClock(after: .first)
    let leads = leads(5000, on: clock, of: ada)
    #expect(leads.max() == WriteClock.lead && leads == leads.sorted())
    let head = noon.advanced(byMilliseconds: WriteClock.lead)
    #expect(clock.next(for: ben, now: noon, after: head) == head)
    // Once time has caught up, each write has its own millisecond again.
    let later = noon.advanced(byMilliseconds: 2000)
    clock.note(head, of: ada)
    #expect(clock.next(for: ada, now: later, after: head) == later)
  }

  @Test func `a book that is ahead continues from its own time`() {
    let ahead = noon.advanced(byMilliseconds: 3_600_000)
    let clock = WriteClock(after: ahead)
    let first = clock.next(for: ada, now: noon, after: ahead)
    #expect(first == ahead.advanced(byMilliseconds: 1))
    clock.note(first, of: ada)
    #expect(clock.next(for: ada, now: noon, after: first) == first.advanced(byMilliseconds: 1))
  }
}
