import Daybook
import DaybookStore
import Dispatch
import Foundation
import Journal
import Synchronization
import Testing

/// Many accounts join at the same moment: never more than a hive holds or an invite allows (HH-16, HH-17).
@Suite(.tags(.damage)) struct ConcurrentJoinTests {
  static let code = "00000000000a"

  /// A book with a hive, an invite, and this many accounts outside.
  private func world(uses: Int, people: Int) throws -> (Book, Hive.ID, [Account.ID]) {
    let book = try Book(at: "book", storage: MemoryStorage())
    let ada = try book.record(CreateAccount(timeZone: "UTC"))
    let hive = try book.record(CreateHive(name: "Bees"), by: ada)
    try book.record(CreateHiveInvite(hive, maximumUseCount: uses, code: Self.code), by: ada)
    let others = try (0..<people).map { _ in try book.record(CreateAccount(timeZone: "UTC")) }
    return (book, hive, others)
  }

  /// The number of accounts that joined, and the codes of the refusals.
  private struct Outcome {
    var joined = 0
    var refusals: Set<String> = []
  }

  private func check(_ book: Book, _ hive: Hive.ID, _ outcome: Outcome, joined: Int, _ code: String)
    throws
  {
    let found = try #require(book.read { $0.hives[hive] })
    #expect(outcome.joined == joined)
    #expect(outcome.refusals == [code])
    #expect(found.activeMembers.count == joined + 1)
    #expect(found.invites[0].useCount == joined)
    #expect(try book.reader.state().digest == book.read { $0.digest })
  }

  @Test(arguments: [(5, 5, "invite_exhausted"), (50, 9, "hive_full")])
  func `concurrent tasks join a hive up to its limits (HH-16, HH-17)`(
    uses: Int, joined: Int, code: String
  ) async throws {
    let (book, hive, others) = try world(uses: uses, people: 40)
    var outcome = Outcome()
    try await withThrowingTaskGroup(of: String?.self) { group in
      for person in others {
        group.addTask {
          do {
            try await book.record(JoinHive(Self.code), by: person)
            return nil
          } catch let rejection as Rejection { return rejection.code }
        }
      }
      for try await code in group {
        if let code { outcome.refusals.insert(code) } else { outcome.joined += 1 }
      }
    }
    try check(book, hive, outcome, joined: joined, code)
  }

  @Test(arguments: [(5, 5, "invite_exhausted"), (50, 9, "hive_full")])
  func `concurrent threads join a hive up to its limits (HH-16, HH-17)`(
    uses: Int, joined: Int, code: String
  ) throws {
    let (book, hive, others) = try world(uses: uses, people: 40)
    let codes = Mutex<[String?]>([])
    DispatchQueue.concurrentPerform(iterations: others.count) { index in
      do {
        try book.record(JoinHive(Self.code), by: others[index])
        codes.withLock { $0.append(nil) }
      } catch let rejection as Rejection {
        codes.withLock { $0.append(rejection.code) }
      } catch { Issue.record(error) }
    }
    let told = codes.withLock { $0 }
    let outcome = Outcome(
      joined: told.count { $0 == nil }, refusals: Set(told.compactMap(\.self)))
    try check(book, hive, outcome, joined: joined, code)
  }
}
