import Avro
import Daybook
import DaybookReplica
import DaybookStore
import Journal
import SimulatedStorage
import Synchronization
import Testing

/// A clock that is set by hand, and the keys that it draws one after another.
final class WorldClock: Sendable {
  private let now: Mutex<Instant>
  private let drawn = Mutex<UInt64>(0)
  private let source: UInt64

  init(_ text: String = "2026-03-02T12:00:00Z", source: UInt64) {
    now = Mutex(Instant(text) ?? .first)
    self.source = source
  }

  var instant: Instant { now.withLock { $0 } }

  func advance(minutes: Int) {
    now.withLock { $0 = $0.advanced(byMilliseconds: Int64(minutes) * 60_000) }
  }

  var bookClock: BookClock {
    BookClock(
      now: { self.instant },
      freshKey: {
        self.drawn.withLock { count in
          count += 1
          return Key(high: self.source << 16 | 0x4000, low: 0x8000_0000_0000_0000 | count)
        }
      })
  }
}

/// A server's book with three people, as devices reach it.
final class ServerWorld: Sendable {
  static let people = (1...3).map { Key(high: 0x4000, low: 0x8000_0000_0000_0000 | UInt64($0)) }

  let clock = WorldClock(source: 1)
  let book: Book
  let source: SyncSource

  init(on storage: (any Storage)? = nil) throws {
    book =
      if let storage {
        try Book(at: "server", storage: storage, clock: clock.bookClock)
      } else {
        Book.inMemory(clock: clock.bookClock)
      }
    source = SyncSource(book)
    for (key, name) in zip(Self.people, ["Ada", "Bob", "Cy"]) {
      try say(
        #"{"do":"create_account","key":"\#(key)","display_name":"\#(name)","timezone":"UTC"}"#)
    }
  }

  func number(of person: Int) throws -> Account.ID {
    try #require(book.read { $0.accounts.present(Self.people[person]) })
  }

  /// Carries out a command on the server; it must be accepted.
  func say(_ line: String, by person: Int? = nil) throws {
    let actor = try person.map { try number(of: $0) }
    let outcome = try book.record(line: line, by: actor)
    #expect(outcome.isAccepted, "\(line): \(outcome.json.encoded)")
  }

  func transport(_ person: Int = 0) throws -> InProcessTransport {
    InProcessTransport(to: source, as: try number(of: person))
  }

  /// The lines of an account's export: what a replica must have, found without what serves replicas.
  func lines(of person: Int) throws -> [String] {
    var lines: [String] = []
    try book.reader.export(of: try number(of: person), as: .jsonl) {
      lines.append(String($0.dropLast()))
    }
    return lines
  }

  /// How many commands were recorded under an id.
  func count(of id: Key) throws -> Int {
    var found = 0
    for line in try allLines() where line.contains(#""id":"\#(id)""#) { found += 1 }
    return found
  }

  func allLines() throws -> [String] {
    var lines: [String] = []
    try book.reader.export(as: .jsonl) { lines.append($0) }
    return lines
  }
}

/// A device with its disk and its clock.
final class Device: Sendable {
  let clock: WorldClock
  private let disk: Mutex<SimulatedStorage>

  init(_ number: UInt64, at text: String = "2026-03-02T12:00:00Z") {
    clock = WorldClock(text, source: 0x100 + number)
    disk = Mutex(SimulatedStorage())
  }

  var storage: SimulatedStorage { disk.withLock { $0 } }

  func open(_ account: Key? = nil) throws -> Replica {
    try Replica(at: "device", account: account, storage: storage, clock: clock.bookClock)
  }

  /// Continues with another disk, such as one that a power loss left.
  func restart(with state: SimulatedDisk) { disk.withLock { $0 = SimulatedStorage(state) } }
}

/// A transport whose exchanges a test decides.
struct TestTransport: SyncTransport {
  let body: @Sendable (_ request: [UInt8]) async throws -> [UInt8]

  func exchange(_ request: [UInt8]) async throws -> [UInt8] { try await body(request) }
}
