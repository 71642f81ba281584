import Calendar
import Daybook
import Dispatch
import Journal
import Testing

@testable import DaybookStore

/// Several questions about one moment (ES-4).
@Suite(.tags(.unit)) struct PastStateTests {
  private let storage = WatchedStorage(base: MemoryStorage())
  private let book: Book
  private let ada: Account.ID
  private let start = Instant(clamping: 1_772_352_000_000)

  init() throws {
    book = try Book(at: "book", storage: storage)
    ada = try book.record(CreateAccount(name: "Ada Lovelace", timeZone: "UTC"), at: start)
    for hour in 1...5 {
      try book.record(CreateHabit(name: "Habit \(hour)"), by: ada, at: moment(hour))
    }
  }

  private func moment(_ hour: Int) -> Instant {
    start.advanced(byMilliseconds: Int64(hour) * 3_600_000)
  }

  private func past(_ hour: Int) throws -> BookState {
    try book.reader.state(asOf: moment(hour), knowing: book.read { $0 })
  }

  @Test func `one past state is kept, and another moment is read anew (ES-4)`() throws {
    var reader = book.reader
    reader.pasts = PastStates(lifetime: .never)
    func past(_ hour: Int) throws -> BookState {
      try reader.state(asOf: moment(hour), knowing: book.read { $0 })
    }
    for hour in [2, 3, 2] {
      let read = storage.readByteCount
      let state = try past(hour)
      #expect(storage.readByteCount > read)
      let other = try book.reader.state(asOf: moment(hour))
      #expect(state.digest == other.digest && state.unsharedCount(with: other) > 0)
      #expect(state.habits.elements.count == hour)
      // It is the same object, not an equal one; reading ahead for it may still be in progress.
      for _ in 0..<10 { #expect(try past(hour).unsharedCount(with: state) == 0) }
    }
  }

  @Test func `a new entry at the same instant appears in the past of that instant (ES-4)`() throws {
    #expect(try past(5).habits.elements.count == 5)
    try book.record(CreateHabit(name: "Another"), by: ada, at: moment(5))
    #expect(try past(5).habits.elements.count == 6)
    #expect(try past(6).habits.elements.count == 6)
  }

  @Test func `blanked words disappear from a past that was read before (ES-6)`() throws {
    #expect(try past(2).accounts[ada]?.displayName == "Ada Lovelace")
    try book.erase(ada, at: moment(6))
    #expect(try past(2).accounts[ada]?.displayName != "Ada Lovelace")
    #expect(try past(2).digest == (try book.reader.state(asOf: moment(2)).digest))
  }

  @Test func `a past read during an erasure is not kept`() throws {
    let pasts = PastStates()
    let (old, new) = (BookState(), try past(3))
    let first = try pasts.state(asOf: start) { () throws(JournalError) in
      pasts.forget()
      return old
    }
    #expect(first.isSame(as: old))
    let second = try pasts.state(asOf: start) { () throws(JournalError) in new }
    #expect(second.isSame(as: new))
    let third = try pasts.state(asOf: start) { () throws(JournalError) in old }
    #expect(third.isSame(as: new))
  }

  @Test func `a reader of files keeps no past`() throws {
    let reader = BookReader(at: "book", storage: storage)
    let present = try reader.state()
    _ = try reader.state(asOf: moment(2), knowing: present)
    let read = storage.readByteCount
    _ = try reader.state(asOf: moment(2), knowing: present)
    #expect(storage.readByteCount > read)
  }
}
