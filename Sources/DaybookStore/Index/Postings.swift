import Avro
import Daybook

/// The entries of a segment that touch some aggregates, a list for each, in columns.
///
/// An audit needs some two hundred entries that lie in as many blocks of the segment; reading those blocks
/// would take ten times as long as a person should wait. So the entries stand here a second time, together.
///
/// Layout: the lists ascend by aggregate, and each list's entries by position. A log of a habit without a note stands
/// in columns of numbers, each the difference from what could be expected; any other entry stands as it is. What is
/// expected:
///
/// - of the position, that entries come evenly between those whose times the directory tells (``EntryTimes``),
/// - of the day, that it is the one after the log before,
/// - of the time, that it is the hour of the log before,
/// - of who acted, that it is who acted before.
///
/// The log before the first one of a list is the first one of the list before: neighbours are of one person often.
/// A log so takes less than a byte, where its own bytes and its position would take six and a half, compressed.
struct Postings: AvroRecord {
  /// Kind and number of each list's aggregate (``Aggregate/code``): how far from the one before, as a `long`.
  var codes = AvroBytes()
  /// How many entries each list has, as a `long`.
  var counts = AvroBytes()
  /// For each entry a byte: 0 when the entry stands as it is, else 1 + the number of a log's source.
  ///
  /// A log adds 64 when somebody acted who is not expected, 32 when it has an idempotency key, and 16 when it says
  /// step 1. A log with a later step stands as it is.
  var forms = AvroBytes()
  /// For each entry how far its place in the segment, from 0, is from the one expected, as a `long`.
  var positions = AvroBytes()
  /// For each log in columns the milliseconds from when it is expected, as a `long`.
  var times = AvroBytes()
  /// For each log in columns the days from the one expected, as a `long`.
  var days = AvroBytes()
  /// For each log in columns its value, as a `long`: twice the whole number, or one more than twice the thousandths.
  var values = AvroBytes()
  /// For each log of which it is not expected who acted, how far their number is from the one expected, as a `long`;
  /// nobody's is 0.
  var actors = AvroBytes()
  /// The idempotency keys of the logs in columns that have one.
  var keys = AvroBytes()
  /// The entries that stand as they are: each its length as a `long`, then its bytes.
  var entries = AvroBytes()

  static let recordName = "Postings"
  static var placeholder: Postings { Postings() }

  mutating func visitFields<V: AnyFieldVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.visit("codes", &codes)
    try visitor.visit("counts", &counts)
    try visitor.visit("forms", &forms)
    try visitor.visit("positions", &positions)
    try visitor.visit("times", &times)
    try visitor.visit("days", &days)
    try visitor.visit("values", &values)
    try visitor.visit("actors", &actors)
    try visitor.visit("keys", &keys)
    try visitor.visit("entries", &entries)
  }

  /// The form of a log in columns, of which something else stands in it.
  static let otherActor: UInt8 = 64
  /// The form of a log in columns that has an idempotency key, of which something else stands in it.
  static let keyed: UInt8 = 32
  /// The form of a log in columns whose step is 1.
  static let first: UInt8 = 16
}

/// When the entries of a segment were recorded, as far as it takes to expect the place of one by its time.
struct EntryTimes: Sendable {
  /// Of how many entries the first one's time is known.
  static let stride: Int64 = 64

  /// When each entry at a multiple of the stride was recorded, ascending.
  let samples: [Int64]
  /// How many entries there are, and when the last one was recorded.
  let count: Int64
  let lastAt: Int64

  /// The place, from 0, that is expected of an entry recorded at a time: as if entries came evenly in between.
  func expectedPlace(at time: Int64) -> Int64 {
    guard let index = samples.lastIndex(notAbove: time) else { return 0 }
    let place = Int64(index) &* Self.stride
    let isLast = index + 1 == samples.count
    let (next, nextTime) =
      isLast ? (count &- 1, lastAt) : (place &+ Self.stride, samples[index + 1])
    let span = nextTime &- samples[index]
    guard span > 0 else { return place }
    // Days and months between two entries are some 2 to the power of 44; forged ones give an odd place.
    return place &+ (time &- samples[index]) &* (next &- place) / span
  }
}

/// What is expected of the next log of a list.
struct ExpectedLog {
  var time: Int64 = 0
  var day: Int64 = 0
  var actor: Int64 = 0
  private var first: (time: Int64, day: Int64, actor: Int64)?

  /// Begins a list.
  mutating func beginList() {
    if let first { (time, day, actor) = first }
    first = nil
  }

  /// When a log of a day is expected.
  func time(on day: Int64) -> Int64 { time &+ (day &- self.day) &* 86_400_000 }

  /// Goes on after a log.
  mutating func take(time: Int64, day: Int64, actor: Int64) {
    (self.time, self.day, self.actor) = (time, day, actor)
    if first == nil { first = (time, day, actor) }
  }
}

// MARK: Writing

/// Writes lists of entries into columns.
struct PostingsWriter {
  private var codes = BinaryWriter()
  private var counts = BinaryWriter()
  private var forms = BinaryWriter()
  private var positions = BinaryWriter()
  private var times = BinaryWriter()
  private var days = BinaryWriter()
  private var values = BinaryWriter()
  private var actors = BinaryWriter()
  private var keys = BinaryWriter()
  private var entries = BinaryWriter()
  private var expected = ExpectedLog()
  private var lastCode: Int64 = 0
  private var scratch = BinaryWriter()
  /// How many entries there are so far.
  private(set) var count = 0

  /// Whether it is time for another block: a lookup reads all that stands before its list in a block.
  var isFull: Bool { count >= 1024 || entries.bytes.count >= 24 << 10 }

  /// The columns.
  var postings: Postings {
    Postings(
      codes: AvroBytes(codes.bytes), counts: AvroBytes(counts.bytes),
      forms: AvroBytes(forms.bytes), positions: AvroBytes(positions.bytes),
      times: AvroBytes(times.bytes), days: AvroBytes(days.bytes), values: AvroBytes(values.bytes),
      actors: AvroBytes(actors.bytes), keys: AvroBytes(keys.bytes),
      entries: AvroBytes(entries.bytes))
  }

  /// Begins the list of an aggregate, with so many entries.
  mutating func beginList(of code: Int64, _ count: Int) {
    codes.put(code &- lastCode)
    counts.put(Int64(count))
    lastCode = code
    expected.beginList()
  }

  /// Puts the next entry of the list: at its place in the segment, with its bytes.
  ///
  /// - Throws: ``AvroError`` when the bytes are no entry.
  mutating func put(
    _ bytes: ArraySlice<UInt8>, at place: Int64, _ entryTimes: EntryTimes
  ) throws(AvroError) {
    var reader = BinaryReader(bytes.span.bytes)
    let entry = try Entry(from: &reader)
    count += 1
    let time = entry.head.at.milliseconds
    positions.put(place &- entryTimes.expectedPlace(at: time))
    if let logged = plainLog(entry, bytes) { return put(logged, entry.head) }
    forms.bytes.append(0)
    entries.put(counted: bytes)
  }

  /// The log that the entry is, if all that it says fits the columns.
  private mutating func plainLog(_ entry: Entry, _ bytes: ArraySlice<UInt8>) -> HabitLogged? {
    guard case .habitLogged(let logged) = entry.event, logged.note == nil,
      logged.entered == nil, 0...1 ~= entry.head.step,
      Aggregate.habit(logged.habit).code == lastCode
    else { return nil }
    // Bytes that say the same in another way are kept as they are.
    scratch.removeAll()
    entry.write(to: &scratch)
    return scratch.bytes[...] == bytes ? logged : nil
  }

  private mutating func put(_ logged: HabitLogged, _ head: EntryHead) {
    let (time, day) = (head.at.milliseconds, Int64(logged.day.number))
    let actor = Int64(head.actor?.number ?? 0)
    let isOther = actor != expected.actor
    forms.bytes.append(
      1 + UInt8(truncatingIfNeeded: logged.source.symbolNumber)
        | (isOther ? Postings.otherActor : 0) | (head.key == nil ? 0 : Postings.keyed)
        | (head.step == 0 ? 0 : Postings.first))
    head.key?.write(to: &keys)
    if isOther { actors.put(actor &- expected.actor) }
    days.put(day &- expected.day &- 1)
    times.put(time &- expected.time(on: day))
    let thousandths = logged.value.thousandths
    values.put(thousandths % 1000 == 0 ? thousandths / 1000 * 2 : thousandths * 2 + 1)
    expected.take(time: time, day: day, actor: actor)
  }
}

// MARK: Reading

extension Postings {
  /// The entries of some aggregates, oldest first, as long as they are wanted; a list for each that has one.
  ///
  /// - Parameters:
  ///   - range: The aggregates' codes.
  ///   - first: The position of the segment's first entry.
  ///   - entryTimes: The segment's.
  ///   - isBefore: Whether an entry comes before the end of what is wanted; the first that does not ends all.
  /// - Returns: The entries, by code.
  /// - Throws: ``AvroError`` when the columns say what no entries are.
  func lists(
    of range: Range<Int64>, from first: Int64, _ entryTimes: EntryTimes,
    while isBefore: (EntryHead) -> Bool
  ) throws(AvroError) -> [(code: Int64, entries: [Entry])] {
    var lists: [(code: Int64, entries: [Entry])] = []
    var codes = BinaryReader(codes.bytes.span.bytes)
    var counts = BinaryReader(counts.bytes.span.bytes)
    var forms = BinaryReader(forms.bytes.span.bytes)
    var positions = BinaryReader(positions.bytes.span.bytes)
    var times = BinaryReader(times.bytes.span.bytes)
    var days = BinaryReader(days.bytes.span.bytes)
    var values = BinaryReader(values.bytes.span.bytes)
    var actors = BinaryReader(actors.bytes.span.bytes)
    var keys = BinaryReader(keys.bytes.span.bytes)
    var wholes = BinaryReader(entries.bytes.span.bytes)
    var expected = ExpectedLog()
    var found: Int64 = 0
    while !codes.isAtEnd {
      found &+= try codes.takeLong()
      if found >= range.upperBound { return lists }
      let count = try counts.takeLong()
      expected.beginList()
      var list: [Entry] = []
      for _ in 0..<max(0, count) {
        let form = try forms.takeByte()
        let position = try positions.takeLong()
        var log = (time: Int64(0), day: Int64(0), actor: expected.actor)
        var value: Int64 = 0
        if form != 0 {
          if form & Self.otherActor != 0 { log.actor &+= try actors.takeLong() }
          log.day = expected.day &+ 1 &+ (try days.takeLong())
          log.time = expected.time(on: log.day) &+ (try times.takeLong())
          value = try values.takeLong()
          expected.take(time: log.time, day: log.day, actor: log.actor)
        }
        guard found >= range.lowerBound else {
          if form == 0 { try wholes.skip(try wholes.takeLength()) }
          if form & Self.keyed != 0 { try keys.skip(16) }
          continue
        }
        var entry: Entry
        if form == 0 {
          _ = try wholes.takeLength()
          entry = try Entry(from: &wholes)
        } else {
          entry = try Self.entry(log, form & 15, value, of: found)
          if form & Self.first != 0 { entry.head.step = 1 }
          if form & Self.keyed != 0 { entry.head.key = try Key(from: &keys) }
        }
        let place = entryTimes.expectedPlace(at: entry.head.at.milliseconds) &+ position
        entry.head.position = first &+ place
        guard isBefore(entry.head) else { return lists + [(found, list)] }
        list.append(entry)
      }
      guard found >= range.lowerBound else { continue }
      lists.append((found, list))
      if found == range.upperBound - 1 { return lists }
    }
    return lists
  }

  private static func entry(
    _ log: (time: Int64, day: Int64, actor: Int64), _ form: UInt8, _ value: Int64, of code: Int64
  ) throws(AvroError) -> Entry {
    guard let aggregate = Aggregate(code: code), aggregate.kind == .habit,
      let habit = Habit.ID(Int(aggregate.number)), let at = Instant(milliseconds: log.time),
      let day = Int(exactly: log.day).flatMap({ Day(number: $0) }),
      let source = Source(symbolNumber: Int(form) - 1), value >= 0,
      let amount = Amount(thousandths: value & 1 == 1 ? value >> 1 : (value >> 1) &* 1000),
      let actor = Int(exactly: log.actor), actor == 0 || Account.ID(actor) != nil
    else { throw .numberTooLarge }
    return Entry(
      EntryHead(position: 0, at: at, actor: Account.ID(actor), key: nil),
      .habitLogged(HabitLogged(habit: habit, day: day, value: amount, source: source)))
  }
}
