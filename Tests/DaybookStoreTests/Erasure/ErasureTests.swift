import Avro
import Daybook
import Journal
import PropertyTesting
import Testing

@testable import DaybookStore

/// What a person said about themselves can be blanked, and the journal can still be verified (ES-6).
@Suite(.tags(.damage)) struct ErasureTests {
  /// A book of two accounts with many texts, in several segments.
  struct World {
    private(set) var storage = MemoryStorage()
    let ada: Account.ID
    let bee: Account.ID
    static let secrets = ["Ada Lovelace", "Bletchley", "analytical", "looms", "poetry", "phone-"]
    /// Personal bytes: hashes, which are the same in every book.
    static let hashes = [Menu.hash(40), Menu.hash(41), Menu.hash(42)]

    init(days: Int = 6) throws {
      let book = try Self.open(storage, create: true)
      let start = try #require(Instant("2026-03-01T08:00:00Z"))
      ada = try book.record(
        CreateAccount(
          name: "Ada Lovelace", avatarURL: "https://Bletchley/ada.png", timeZone: "UTC"),
        at: start)
      bee = try book.record(CreateAccount(name: "Bee", timeZone: "UTC"), at: start)
      try tellOfAda(in: book)
      for (owner, name, goal) in [(ada, "analytical", "looms"), (bee, "swim", "sea")] {
        let number = try book.record(CreateGoal(title: goal), by: owner)
        let key = try #require(book.read { $0.goals[number]?.key })
        let habit = try book.record(CreateHabit(name: "\(name) engine", goal: key), by: owner)
        for day in 1...days {
          let at = start.advanced(byMilliseconds: Int64(day) * 86_400_000)
          try book.record(
            LogHabit(habit, note: owner == ada ? "poetry of day \(day)" : "calm"), by: owner,
            at: max(at, book.read { $0.at }))
        }
      }
    }

    /// Personal data other than words.
    private func tellOfAda(in book: Book) throws {
      try book.transaction { batch in try tellOfAda(&batch) }
    }

    private func tellOfAda(_ batch: inout Batch) throws {
      let phone = Identity(.phone, Self.hashes[0])
      let mail = Identity(.email, Self.hashes[1])
      let times = try ["07:30", "21:00"].map { try #require(LocalTime($0)) }
      try batch.record(LinkIdentity(phone), by: ada)
      try batch.record(VerifyIdentity(phone), by: ada)
      try batch.record(LinkIdentity(mail), by: ada)
      try batch.record(UnlinkIdentity(mail), by: ada)
      try batch.record(UploadContacts([Self.hashes[2], Menu.hash(50)]), by: ada)
      try batch.record(RemoveContacts([Menu.hash(50)]), by: ada)
      try batch.record(SaveContact("carol of Bletchley", name: "Carol of looms"), by: ada)
      try batch.record(RequestUpgrade(price: "3.99 analytical"), by: ada)
      try batch.record(PostActivity(.hiveJoined, data: ["poetry": "Bletchley"]), by: ada)
      try batch.record(RegisterDevice(token: "phone-1"), by: ada)
      try batch.record(RegisterDevice(token: "phone-2"), by: ada)
      try batch.record(UnregisterDevice(token: "phone-2"), by: ada)
      // Hers until Bee takes it; from then on it belongs to Bee, who is not erased.
      try batch.record(RegisterDevice(token: "shared"), by: ada)
      try batch.record(RegisterDevice(token: "shared"), by: bee)
      try batch.record(UploadContacts([Self.hashes[0]]), by: bee)
      try batch.record(
        UpdateProfile {
          $0.birthday = Day("1815-12-10")
          $0.notificationTimes = times
        }, by: ada)
      try batch.record(
        CompleteOnboarding(habits: [.init(.read)]) { $0.notificationsAreOn = true }, by: ada)
    }

    /// The same book on its own disk.
    func copy() throws -> World {
      var copy = self
      copy.storage = MemoryStorage()
      for directory in ["book/journal", "book/snapshots"] {
        for name in try storage.names(in: directory) ?? [] {
          try copy.storage.createDirectory(directory)
          try copy.storage.replace(
            "\(directory)/\(name)", with: try storage.bytes("\(directory)/\(name)"))
        }
      }
      return copy
    }

    static func open(_ storage: any Storage, create: Bool = false) throws -> Book {
      let clock = HandClock(try #require(Instant("2026-03-01T08:00:00Z"))).bookClock
      if create { try Book.create(at: "book", storage: storage, clock: clock) }
      return try Book(
        opening: BookReader(at: "book", storage: storage), clock: clock, segmentByteCount: 1,
        sealing: .atOnce)
    }

    /// The decompressed content of all the book's files.
    func text() throws -> String {
      var text = ""
      for directory in ["book/journal", "book/snapshots"] {
        for name in try storage.names(in: directory) ?? [] {
          let bytes = try storage.bytes("\(directory)/\(name)")
          // A key index is not a container, and is not compressed.
          guard !name.hasSuffix(".keys") else {
            text += String(decoding: bytes, as: UTF8.self)
            continue
          }
          var reader = BinaryReader(bytes.span.bytes)
          let header = try ContainerHeader(from: &reader)
          var buffer: [UInt8] = []
          while !reader.isAtEnd {
            let block = try ContainerBlock(from: &reader, syncMarker: header.syncMarker)
            let count = try ZstandardDecompressor().decompress(
              bytes.span.bytes.extracting(block.payload), into: &buffer)
            text += String(decoding: buffer[..<count], as: UTF8.self)
          }
        }
      }
      return text
    }
  }

  @Test func `an erased account's words are nowhere in the book (ES-6)`() throws {
    let world = try World()
    let book = try World.open(world.storage)
    try book.seal()
    for secret in World.secrets { #expect(try world.text().contains(secret)) }
    #expect(try book.erase(world.ada) > 3)
    for secret in World.secrets { #expect(try !world.text().contains(secret), "\(secret)") }
    #expect(try world.text().contains("calm"))
    #expect(try book.reader.journal.segments().count > 3)
  }

  @Test func `a book stays whole when accounts are erased one after another (ES-6)`() throws {
    let storage = MemoryStorage()
    let clock = HandClock(Menu.beginnings[1])
    try Book.create(at: "book", storage: storage, clock: clock.bookClock)
    let reader = BookReader(at: "book", storage: storage, zones: StateLedger.zones)
    func open() throws -> Book {
      try Book(opening: reader, clock: clock.bookClock, sealing: .atOnce)
    }
    let accounts = try ["Ada", "Bee", "Cyd"].map {
      try open().record(CreateAccount(name: $0, timeZone: "Europe/London"))
    }
    // All entries are in the first segment, which is rewritten three times. Opening the book again seals the entries
    // in between, after the segment as it is then.
    for account in accounts {
      try open().erase(account)
      let found = try reader.verify()
      #expect(found.isWhole, "\(found.damages)")
    }
  }

  @Test func `an erased account's person is no longer recognised, reached or matched (ES-6)`()
    throws
  {
    let world = try World()
    let book = try World.open(world.storage)
    let phone = Identity(.phone, World.hashes[0])
    #expect(book.read { $0.contactMatches(of: world.bee) } == [world.ada])
    try book.erase(world.ada)
    for state in [book.read { $0 }, try book.reader.state(), try #require(Self.snapshot(of: book))]
    {
      let account = try #require(state.accounts[world.ada])
      #expect(account.birthday == nil)
      #expect(account.notifications.times == [] && account.notifications.isOn)
      #expect(account.identities == [] && account.devices == [] && account.contacts == [])
      #expect(state.account(having: phone) == nil)
      #expect(state.contactMatches(of: world.bee) == [])
      #expect(state.account(ofDevice: "shared") == world.bee)
      #expect(state.account(ofDevice: "phone-1") == nil)
    }
    var events = PersonalEvents(account: world.ada)
    try book.reader.replay(into: &events)
    #expect(events.count == 16)
    #expect(events.blanks == events.count, "\(events)")
    // The number is free: another account may use it now.
    try book.record(LinkIdentity(phone, isVerified: true), by: world.bee)
    #expect(try book.reader.state().account(having: phone) == world.bee)
  }

  /// The state from the newest snapshot and the entries after it.
  private static func snapshot(of book: Book) -> BookState? {
    var opening = Snapshots(journal: book.reader.journal).opening()
    do {
      try book.reader.replay(into: &opening, from: opening.replay.state.position + 1)
    } catch { return nil }
    return opening.finish()
  }

  /// The personal events of an account, and how many of them are blank.
  private struct PersonalEvents: Projection {
    let account: Account.ID
    var count = 0
    var blanks = 0

    mutating func apply(_ entry: Entry) {
      guard entry.event.subject == .account(account) else { return }
      let isBlank: Bool? =
        switch entry.event {
        case .identityLinked(let event): event.hash == nil
        case .identityVerified(let event): event.hash == nil
        case .identityUnlinked(let event): event.hash == nil
        case .deviceRegistered(let event): event.token.isEmpty
        case .deviceUnregistered(let event): event.token.isEmpty
        case .contactsUploaded(let event): event.hashes.isEmpty
        case .contactsRemoved(let event): event.hashes.isEmpty
        case .contactNamed(let event): event.hash == nil && event.text == nil && event.name == nil
        case .upgradeRequested(let event): event.price.isEmpty
        case .birthdayChanged(let event): event.birthday == nil
        case .notificationsChanged(let event): event.times.isEmpty
        default: nil
        }
      guard let isBlank else { return }
      count += 1
      if isBlank { blanks += 1 }
    }
  }

  @Test func `an erased account keeps only the times of its entries`() throws {
    let world = try World()
    let book = try World.open(world.storage)
    let before = book.read { $0 }
    try book.erase(world.ada)
    let after = book.read { $0 }
    let replayed = try book.reader.state()
    #expect(replayed.isSame(as: after))
    #expect(replayed.digest == after.digest)
    #expect(after.position == before.position + 1)
    #expect(after.accounts[world.ada]?.isErased == true)
    #expect(after.accounts[world.bee] == before.accounts[world.bee])
    let bees = { (state: BookState) in
      state.tables.map { $0.rows.filter { "\($0)".contains("swim") } }
    }
    #expect(bees(after) == bees(before))
    #expect(after.habits(of: world.ada).isEmpty)
    let past = try book.reader.state(asOf: before.at.advanced(byMilliseconds: -1))
    let habit = try #require(past.habits(of: world.ada).last)
    #expect(habit.description.name == "")
    // All except the last day's, which was recorded at that very instant.
    #expect(habit.days.records.count == 5)
    #expect(throws: Rejection.accountNotFound) {
      try book.record(Resume(), by: world.ada)
    }
  }

  @Test func `every rewritten segment is on record, with its digests before and after`() throws {
    let world = try World()
    let book = try World.open(world.storage)
    try book.seal()
    let journal = book.reader.journal
    let names = try journal.segments().dropLast()
    let files = try names.map { try journal.fileDigest(of: $0).description }
    try book.erase(world.ada)
    var records = ErasureRecords()
    try book.reader.replay(into: &records)
    var changed = 0
    for (name, file) in zip(names, files) {
      let now = try journal.fileDigest(of: name).description
      guard let record = records.segments.first(where: { $0.first == name.first.number }) else {
        #expect(now == file)
        continue
      }
      changed += 1
      #expect(record.fileBefore == file)
      #expect(record.fileAfter == now)
      #expect(try journal.header(of: name).seal?.entries.description == record.entriesAfter)
    }
    #expect(changed == records.segments.count && changed > 3 && changed < files.count)
    #expect(try book.erase(world.ada) == 0)
  }

  @Test func `a disk failure at any moment leaves the account erased or not`() throws {
    var call = 0
    var outcomes: Set<Bool> = []
    // Each day adds two segments, which are treated alike.
    let original = try World(days: 2)
    let step = try scaledStep(5)
    while true {
      let world = try original.copy()
      let storage = WatchedStorage(base: world.storage, failingAfter: call)
      do {
        let book = try World.open(storage)
        _ = try? book.erase(world.ada)
      } catch {}
      // The next writer finds the book whole, and completes what was recorded.
      let book = try World.open(world.storage)
      let state = try book.reader.state()
      let isErased = state.accounts[world.ada]?.isErased == true
      #expect(state.isSame(as: book.read { $0 }))
      if isErased {
        for secret in World.secrets { #expect(try !world.text().contains(secret), "call \(call)") }
      } else {
        #expect(state.accounts[world.ada]?.displayName == "Ada Lovelace", "call \(call)")
      }
      #expect(
        try world.storage.names(in: "book/journal")?.contains { $0.hasSuffix(".rewritten") }
          == false)
      outcomes.insert(isErased)
      call += step
      if !storage.hasFailed { break }
    }
    #expect(outcomes == [true, false])
  }
}
