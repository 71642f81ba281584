import Daybook
import Journal
import PropertyTesting
import Testing

@testable import DaybookStore

/// A book with random accounts in two hives, in several segments: they join, log, clear, leave, and move between
/// zones.
struct HiveWorld {
  let storage: MemoryStorage
  let reader: BookReader
  private(set) var hives: [Hive.ID] = []
  private(set) var accounts: [Account.ID] = []
  private var random: SplitMix64
  private let zones = [
    "UTC", "Europe/London", "Asia/Tokyo", "Pacific/Honolulu", "America/New_York",
  ]

  init(seed: UInt64, steps: Int = 90) throws {
    random = SplitMix64(seed: seed)
    let empty = try SegmentedBook()
    (storage, reader) = (empty.storage, empty.reader)
    let (clock, book) = (empty.clock, empty.book)
    for number in 0..<4 {
      accounts.append(
        try book.record(
          CreateAccount(
            name: "secret person \(number)", timeZone: zones[(number + Int(seed)) % 4],
            dayStartHour: number % 3)))
    }
    for (number, owner) in accounts.prefix(2).enumerated() {
      let hive = try book.record(
        CreateHive(
          name: "secret hive", type: .counter, target: 2,
          schedule: try #require(WeekdayMask(bits: number == 0 ? 0b1111111 : 0b0110101)),
          threshold: seed % 2 == 0 ? nil : 2), by: owner)
      hives.append(hive)
      _ = try book.record(CreateHiveInvite(hive, code: Self.code(number)), by: owner)
      for account in accounts where account != owner {
        _ = try book.record(JoinHive(Self.code(number)), by: account)
      }
    }
    for _ in 0..<steps {
      clock.instant = clock.instant.advanced(
        byMilliseconds: Int64.random(in: 1...40_000_000, using: &random))
      // Commands that the domain refuses are skipped.
      _ = try? act(in: book)
    }
    for (number, owner) in accounts.prefix(2).enumerated() {
      _ = try? book.record(RevokeHiveInvite(Self.code(number)), by: owner)
    }
    clock.instant = clock.instant.advanced(byMilliseconds: 1000)
    if seed % 3 == 0 { try book.seal() }
  }

  private static func code(_ hive: Int) -> String { "00000000000\(hive)" }

  private mutating func act(in book: Book) throws {
    let place = Int.random(in: 0..<2, using: &random)
    let hive = hives[place]
    let account = accounts[Int.random(in: 0..<accounts.count, using: &random)]
    switch Int.random(in: 0..<24, using: &random) {
    case 0: _ = try book.record(ClearHiveLog(hive), by: account)
    case 1: _ = try book.record(LeaveHive(hive), by: account)
    case 2, 3: _ = try book.record(JoinHive(Self.code(place)), by: account)
    case 4:
      let zone = zones[Int.random(in: 0..<5, using: &random)]
      try book.record(UpdateProfile { $0.timeZone = zone }, by: account)
    case 5: _ = try book.record(Settle(), by: nil)
    case 6: _ = try book.record(LogHiveDay(hive, value: 1), by: account)
    default:
      for account in accounts { _ = try? book.record(LogHiveDay(hive, value: 2), by: account) }
    }
  }

  /// A query for the present.
  func query(on day: Day? = nil) throws -> Query {
    let last = try #require(try reader.head().at)
    return Query(asOf: last.advanced(byMilliseconds: 5000), on: day, zones: StateLedger.zones)
  }

  /// A member of the hive.
  func member(of hive: Hive.ID) throws -> Account.ID {
    try #require(try reader.state().hives[hive]?.activeMembers.first?.account)
  }

  /// A proof of a hive.
  func proof(of hive: Hive.ID, on day: Day? = nil) throws -> [UInt8] {
    try reader.proof(of: hive, for: member(of: hive), query(on: day)).file
  }
}
