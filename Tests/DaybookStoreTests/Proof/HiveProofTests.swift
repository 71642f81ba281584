import Avro
import Daybook
import Journal
import PropertyTesting
import Testing

@testable import DaybookStore

/// Shared streaks are proved to a reader with nothing but a head (Docs/Proofs.md).
@Suite(.tags(.law)) struct HiveProofTests {
  @Test(arguments: 0..<(try scaled(3)))
  func `a proof of any hive shows what its members see, and the book's head`(seed: Int) throws {
    let world = try HiveWorld(seed: UInt64(seed))
    let head = try world.reader.head().head
    let state = try world.reader.state()
    for hive in world.hives {
      let member = try world.member(of: hive)
      let bytes = try world.proof(of: hive)
      let shown = try BookReader.checkHive(bytes, head: head, zones: StateLedger.zones)
      let card = try state.hiveCard(hive, for: member, world.query())
      #expect(shown.current == card.streak)
      #expect(shown.longest == card.hive.longestStreak(firstOpen: card.firstOpen))
      #expect(!String(decoding: bytes, as: UTF8.self).contains("secret"))
      #expect(BookReader.isHiveProof(bytes))
      // About past days, too.
      for back in 1...4 {
        let day = card.day.day.advanced(by: -back)
        let past = try BookReader.checkHive(
          world.proof(of: hive, on: day), head: head, zones: StateLedger.zones)
        #expect(
          past.current == (try state.hiveCard(hive, for: member, world.query(on: day)).streak))
      }
    }
  }

  @Test func `the simulated hives have streaks that grow and break`() throws {
    let shown = try (0..<6).flatMap { seed in
      let world = try HiveWorld(seed: UInt64(seed))
      return try world.hives.map {
        try BookReader.checkHive(world.proof(of: $0), zones: StateLedger.zones)
      }
    }
    #expect(shown.contains { $0.current > 1 } && shown.contains { $0.longest > $0.current })
    #expect(shown.contains { $0.hive.members.contains { $0.stays.count > 1 } })
  }

  @Test func `a flipped bit anywhere in a hive's proof is refused`() throws {
    let world = try HiveWorld(seed: 7, steps: 12)
    let bytes = try world.proof(of: world.hives[0])
    var accepted: [Int] = []
    // All of the front and of the checksum, and a sample of the rest, most of which is a schema.
    let ends = Set(0..<64).union(bytes.count - 32..<bytes.count)
    for bit in 0..<8 * bytes.count where ends.contains(bit / 8) || bit % 1009 == 0 {
      var changed = bytes
      changed[bit / 8] ^= 1 << UInt8(bit % 8)
      if (try? BookReader.checkHive(changed, zones: StateLedger.zones)) != nil {
        accepted.append(bit)
      }
    }
    #expect(accepted.isEmpty)
  }

  @Test(arguments: 200..<200 + UInt64(try scaled(2)))
  func `a forged proof of a hive is refused, even with repaired surroundings`(
    seed: UInt64
  ) throws {
    let world = try HiveWorld(seed: seed)
    let head = try world.reader.head().head
    var random = SplitMix64(seed: seed)
    let file = try HiveProofFile(bytes: try world.proof(of: world.hives[Int(seed % 2)]))
    for kind in 0..<45 {
      var forged = file
      forge(&forged, kind % 15, &random)
      guard forged != file else { continue }
      for tells in [(file.current, file.longest), (max(0, file.current - 1), file.longest)] {
        (forged.current, forged.longest) = tells
        #expect(
          (try? BookReader.checkHive(forged.bytes, head: head, zones: StateLedger.zones)) == nil)
      }
    }
  }

  private func forge(_ file: inout HiveProofFile, _ kind: Int, _ random: inout SplitMix64) {
    let place = Int.random(in: file.segments.indices, using: &random)
    let member = Int.random(in: file.segments[place].members.indices, using: &random)
    switch kind {
    case 0: file.segments.removeLast()
    case 1: file.segments.remove(at: place)
    case 2: file.hive += 1
    case 3: for index in file.segments.indices { file.segments[index].members.removeLast() }
    case 4: for index in file.segments.indices { file.segments[index].members.swapAt(0, 1) }
    case 5: file.segments[place].members.remove(at: member)
    case 6: file.segments[place].members.append(file.segments[place].members[member])
    case 7: file.book = "00000000-0000-4000-8000-00000000dead"
    case 8: file.on += 400
    case 9: file.asOf = 0
    case 10: file.segments[place].hive.entries = []
    case 11: file.segments[place].members[member].entries = []
    case 12: file.segments[place].members[member] = file.segments[place].hive
    default:
      guard !file.segments[place].hive.entries.isEmpty else { return }
      let index = Int.random(in: file.segments[place].hive.entries.indices, using: &random)
      if kind == 13 {
        file.segments[place].hive.entries.remove(at: index)
      } else {
        var form = file.segments[place].hive.entries[index].form
        form.bytes[form.bytes.count - 1] ^= 2
        file.segments[place].hive.entries[index].form = form
      }
    }
  }

  @Test func `members can prove a hive, and strangers cannot`() throws {
    let world = try HiveWorld(seed: 2)
    let hive = world.hives[0]
    let state = try world.reader.state()
    for account in world.accounts {
      let isMember = state.hives[hive]?.activeMembers.contains { $0.account == account } == true
      let query = try world.query()
      if isMember {
        #expect(try !world.reader.proof(of: hive, for: account, query).file.isEmpty)
      } else {
        #expect(throws: Rejection.notMember) {
          try world.reader.proof(of: hive, for: account, query)
        }
      }
    }
    #expect(throws: Rejection.hiveNotFound) {
      try world.reader.proof(of: #require(Hive.ID(70)), for: world.accounts[0], world.query())
    }
  }

  @Test func `a hive with a valid invite is not proved, because the proof would reveal its code`()
    throws
  {
    let world = try HiveWorld(seed: 4)
    let hive = world.hives[0]
    let clock = HandClock(try #require(try world.reader.head().at))
    let book = try Book(opening: world.reader, clock: clock.bookClock)
    let code = "abcdefabcdef"
    _ = try book.record(CreateHiveInvite(hive, code: code), by: world.accounts[0])
    do {
      _ = try world.proof(of: hive)
      Issue.record("it was proved")
    } catch let rejection as Rejection {
      #expect(rejection.description.contains("`daybook invite CODE --revoke`"))
    }
    _ = try book.record(RevokeHiveInvite(code), by: world.accounts[0])
    #expect(try !world.proof(of: hive).isEmpty)
  }
}
