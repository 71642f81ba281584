import Avro
import Daybook
import Journal
import PropertyTesting
import Testing

@testable import DaybookStore

/// Streaks are proved to a reader with nothing but a head (Docs/Proofs.md).
@Suite(.tags(.law)) struct StreakProofTests {
  @Test(arguments: 0..<6)
  func `a proof of any habit shows the book's answer, and its own head`(
    seed: Int
  ) throws {
    let world = try ProofWorld(seed: UInt64(seed))
    let head = try world.reader.head().head
    let found = try world.reader.verify()
    #expect(found.isWhole && found.head == head)
    for habit in world.habits {
      let bytes = try world.proof(of: habit)
      let shown = try BookReader.check(bytes, head: head, zones: StateLedger.zones)
      let view = BookView(try world.reader.state(), try world.query(), world.reader)
      let told = try view.streak(of: habit)
      // A day logged ahead is not asked about.
      let asked = try view.state.view(
        of: #require(view.state.habits[habit]), world.query(on: shown.view.day))
      #expect(shown.current == asked.judgement.current?.length ?? 0)
      #expect(shown.longest == asked.judgement.longest?.length ?? 0)
      #expect(shown.longest <= told.longest?.length ?? 0)
      #expect(!String(decoding: bytes, as: UTF8.self).contains("secret"))
    }
  }

  @Test(arguments: 0..<3)
  func `a proof holds the entries about the habit and its owner, and no others`(seed: Int) throws {
    let world = try ProofWorld(seed: 100 + UInt64(seed))
    let habit = world.habits[seed % world.habits.count]
    let file = try ProofFile(bytes: try world.proof(of: habit))
    let found = try HabitEntries(of: habit, until: .last, in: world.reader)
    let shown = file.segments.flatMap { $0.habit.entries + $0.account.entries }
    #expect(shown.map(\.position).sorted() == found.entries.map(\.head.position))
  }

  @Test func `a flipped bit anywhere in a proof is refused`() throws {
    let world = try ProofWorld(seed: 7, steps: 12)
    let bytes = try world.proof(of: world.habits[0])
    var accepted: [Int] = []
    // All of the front and of the checksum, and a sample of the rest, most of which is a schema.
    let ends = Set(0..<64).union(bytes.count - 32..<bytes.count)
    for bit in 0..<8 * bytes.count where ends.contains(bit / 8) || bit % 1009 == 0 {
      var changed = bytes
      changed[bit / 8] ^= 1 << UInt8(bit % 8)
      if (try? BookReader.check(changed, zones: StateLedger.zones)) != nil { accepted.append(bit) }
    }
    #expect(accepted.isEmpty)
  }

  /// A forgery of a proof; `false` where there is nothing to forge.
  private typealias Forgery = @Sendable (inout ProofFile, inout SplitMix64) -> Bool

  private static let forgeries: [(String, Forgery)] = [
    (
      "an entry is dropped",
      { file, random in
        change(&file, &random) { way, random in
          way.entries.remove(at: Int.random(in: way.entries.indices, using: &random))
        }
      }
    ),
    (
      "an entry is moved",
      { file, random in
        change(&file, &random) { way, random in
          way.entries[Int.random(in: way.entries.indices, using: &random)].position += 1
        }
      }
    ),
    (
      "a byte of an entry is changed",
      { file, random in
        change(&file, &random) { way, random in
          let index = Int.random(in: way.entries.indices, using: &random)
          let place = way.entries[index].form.bytes.indices.randomElement(using: &random) ?? 0
          way.entries[index].form.bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        }
      }
    ),
    (
      "an entry is there twice",
      { file, random in
        change(&file, &random) { way, _ in way.entries.append(way.entries[way.entries.count - 1]) }
      }
    ),
    (
      "all entries of a segment are left out",
      { file, random in
        change(&file, &random) { way, _ in way.entries = [] }
      }
    ),
    (
      "a commitment is taken away or put in",
      { file, random in
        change(&file, &random) { way, random in
          let index = Int.random(in: way.entries.indices, using: &random)
          let isThere = !way.entries[index].commitment.bytes.isEmpty
          way.entries[index].commitment = AvroBytes(
            isThere ? [] : [UInt8](repeating: 1, count: 32))
        }
      }
    ),
    (
      "the chain is cut short",
      { file, _ in
        file.segments.removeLast()
        return true
      }
    ),
    (
      "a segment is left out",
      { file, random in
        file.segments.remove(at: Int.random(in: file.segments.indices, using: &random))
        return true
      }
    ),
    (
      "the path is shortened",
      { file, random in
        let index = Int.random(in: file.segments.indices, using: &random)
        guard !file.segments[index].habit.path.bytes.isEmpty else { return false }
        file.segments[index].habit.path.bytes.removeLast(32)
        return true
      }
    ),
    (
      "the depth of the tree is changed",
      { file, random in
        let index = Int.random(in: file.segments.indices, using: &random)
        file.segments[index].account.depth += 1
        return true
      }
    ),
    (
      "the habit is changed",
      { file, _ in
        file.habit += 1
        return true
      }
    ),
    (
      "the book is changed",
      { file, _ in
        file.book = "00000000-0000-4000-8000-00000000dead"
        return true
      }
    ),
  ]

  /// Changes a path that has entries.
  private static func change(
    _ file: inout ProofFile, _ random: inout SplitMix64,
    _ change: (inout ProofFile.ProvenEntity, inout SplitMix64) -> Void
  ) -> Bool {
    var index = Int.random(in: file.segments.indices, using: &random)
    for _ in file.segments {
      if !file.segments[index].habit.entries.isEmpty {
        change(&file.segments[index].habit, &random)
        return true
      }
      if !file.segments[index].account.entries.isEmpty {
        change(&file.segments[index].account, &random)
        return true
      }
      index = (index + 1) % file.segments.count
    }
    return false
  }

  @Test(arguments: 0..<4)
  func `a forged proof is refused, even with repaired surroundings`(seed: Int) throws {
    let world = try ProofWorld(seed: 200 + UInt64(seed))
    let head = try world.reader.head().head
    var random = SplitMix64(seed: UInt64(seed))
    let habit = try #require(world.habits.randomElement(using: &random))
    let file = try ProofFile(bytes: try world.proof(of: habit))
    for (what, forge) in Self.forgeries {
      var forged = file
      guard forge(&forged, &random), forged != file else { continue }
      // The checksum is recomputed with the file, and its claims are those that follow from its entries.
      for tells in [(file.current, file.longest), Self.told(forged)] {
        (forged.current, forged.longest) = tells
        #expect(
          (try? BookReader.check(forged.bytes, head: head, zones: StateLedger.zones)) == nil,
          "\(what)")
      }
    }
  }

  /// A guess of the claims that a forged file's entries lead to: a streak of one day less.
  private static func told(_ file: ProofFile) -> (Int64, Int64) {
    (max(0, file.current - 1), file.longest)
  }

  @Test func `the claims of a proof must follow from its entries`() throws {
    let world = try ProofWorld(seed: 3)
    let file = try ProofFile(bytes: try world.proof(of: world.habits[0]))
    for change: (inout ProofFile) -> Void in [
      { $0.current += 1 }, { $0.longest += 1 }, { $0.asOf = 0 }, { $0.on += 400 },
      { $0.rule = #"{"name":"daybook"}"# }, { $0.rule = "{" }, { $0.on = .max }, { $0.habit = 0 },
      { $0.head = "0:" + String(repeating: "0", count: 64) },
      { $0.schemas.append("{}") }, { $0.segments = [] }, { $0.schemas = [] },
      { $0.asOf = .max }, { $0.segments[0].last = -1 }, { $0.segments[0].schema = -1 },
      { $0.segments[0].habit.depth = .max }, { $0.segments[0].habit.depth = -1 },
    ] {
      var changed = file
      change(&changed)
      #expect(throws: ProofFlaw.self) {
        try BookReader.check(changed.bytes, zones: StateLedger.zones)
      }
    }
    #expect(throws: ProofFlaw.self) { try BookReader.check([], zones: StateLedger.zones) }
  }

  @Test func `a proof for another head than the noted one is refused`() throws {
    let world = try ProofWorld(seed: 4)
    let bytes = try world.proof(of: world.habits[0])
    let other = try ProofWorld(seed: 5).reader.head().head
    do throws(ProofFlaw) {
      _ = try BookReader.check(bytes, head: other, zones: StateLedger.zones)
      Issue.record("it was taken")
    } catch {
      #expect(error.reason.contains("not to \(other)"))
    }
  }

  @Test func `entries that go back in time prove nothing`() throws {
    let world = try ProofWorld(seed: 4)
    var every = EveryEntry()
    try world.reader.replay(into: &every)
    var entries = every.entries
    let (bridge, shuffled) = (ProofBridge(), Array(entries.reversed()))
    #expect(try bridge.inOrder(shuffled).map(\.head.position) == entries.map(\.head.position))
    entries[2].head.at = entries[3].head.at.advanced(byMilliseconds: 1)
    #expect(throws: ProofFlaw.self) { try bridge.inOrder(entries) }
  }

  @Test func `an erasure changes neither heads nor proofs`() throws {
    let world = try ProofWorld(seed: 6)
    let habit = world.habits[0]
    let owner = try #require(try world.reader.state().habits[habit]?.owner)
    let before = try world.proof(of: habit)
    let head = try world.reader.head().head
    let clock = HandClock(try #require(try world.reader.head().at))
    let book = try Book(opening: world.reader, clock: clock.bookClock, sealing: .atOnce)
    try book.erase(owner)
    #expect(try world.reader.verify(expecting: head).proof == .contained)
    #expect(try BookReader.check(before, head: head, zones: StateLedger.zones).head == head)
    // Data deleted with the account still has its commitment.
    let after = try ProofFile(bytes: try world.proof(of: habit))
    let known = try ProofFile(bytes: before)
    #expect(after.segments.count > known.segments.count)
    let sealed = known.segments.dropLast()
    #expect(Array(after.segments.prefix(sealed.count)) == Array(sealed))
  }

  @Test(arguments: ["strict", "freezes", "honest", "loop"])
  func `a proof states its rule, and is judged by it`(name: String) throws {
    let world = try ProofWorld(seed: 9)
    let rule = try #require(StreakRule.shipped(named: name))
    let (bytes, shown, _) = try world.reader.proof(
      of: world.habits[0], try world.query(rule))
    let checked = try BookReader.check(bytes, zones: StateLedger.zones)
    #expect(checked.view.rule.id == name)
    #expect(checked.current == shown.current && checked.longest == shown.longest)
  }

  @Test func `a rule that exists only in code is refused`() throws {
    let world = try ProofWorld(seed: 9, steps: 5)
    let rule = StreakRule(id: "own", version: 1, basedOn: .daybook) { _ in nil }
    #expect(throws: Rejection.self) {
      try world.reader.proof(of: world.habits[0], try world.query(rule))
    }
  }

  private static let fixtures =
    #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(2)
    .joined(separator: "/") + "/Fixtures"

  @Test(arguments: 1...7)
  func `a book with a segment of an older format is refused, with the next step`(
    golden: Int
  ) throws {
    let world = BookReader(at: "\(Self.fixtures)/golden-\(golden)")
    let query = Query(asOf: .last, zones: StateLedger.zones)
    let habit = try #require(Habit.ID(1))
    do {
      _ = try world.proof(of: habit, query)
      Issue.record("it was proved")
    } catch let rejection as Rejection {
      #expect(rejection.description.contains("`daybook import jsonl` it into a new one"))
    }
  }
}
