import Avro
import Daybook

/// The entries of a segment that touch some aggregates, in one list per aggregate, stored in
/// columns.
///
/// An audit needs some two hundred entries that lie in as many blocks of the segment. Reading those
/// blocks would take ten times as long as a person should wait. So the entries are stored here a
/// second time, together.
///
/// Layout: the lists ascend by aggregate, and each list's entries by position. A log of a habit
/// without a note is stored in columns of numbers, each the difference from a predicted value; any
/// other entry is stored whole. The predictions:
///
/// - position: entries come evenly between those whose times the directory holds (``TimeSamples``),
/// - day: the one after the previous log,
/// - time: the hour of the previous log,
/// - actor: the actor of the previous entry.
///
/// The log before a list's first one is the first one of the previous list, because neighbouring
/// lists often belong to one person. A log then takes less than a byte, where its own bytes and its
/// position would take six and a half, compressed.
struct Postings: AvroRecord {
  /// Kind and number of each list's aggregate (``Aggregate/code``): the distance from the one
  /// before, as a `long`.
  var codes = AvroBytes()
  /// How many entries each list has, as a `long`.
  var counts = AvroBytes()
  /// A byte for each entry: 0 when the entry is stored whole, otherwise 1 + the number of a log's
  /// source. 64 is added when the actor is not the predicted one, 32 when there is an idempotency
  /// key, and 16 when the entry is marked as the first of its command. An entry marked with another
  /// step is stored whole.
  var forms = AvroBytes()
  /// For each entry, the difference between its place in the segment, from 0, and the predicted
  /// one, as a `long`.
  var positions = AvroBytes()
  /// For each log in columns, the milliseconds from the predicted time, as a `long`.
  var times = AvroBytes()
  /// For each log in columns, the days from the predicted day, as a `long`.
  var days = AvroBytes()
  /// For each log in columns, its value as a `long`: twice the whole number, or twice the
  /// thousandths plus one.
  var values = AvroBytes()
  /// For each log with an unpredicted actor, the difference between the actor's number and the
  /// predicted one, as a `long`; no actor counts as 0.
  var actors = AvroBytes()
  /// The idempotency keys of the logs in columns that have one.
  var keys = AvroBytes()
  /// The entries stored whole: each its length as a `long`, then its bytes.
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

  /// The bit in a log's form that says that its actor is not the predicted one.
  static let otherActor: UInt8 = 64
  /// The bit in a log's form that says that it has an idempotency key.
  static let keyed: UInt8 = 32
  /// The bit in a log's form that marks it as the first entry of its command.
  static let first: UInt8 = 16
}

/// The times of a segment's entries, in enough detail to predict an entry's place from its time.
struct TimeSamples: Sendable {
  /// The distance in entries between two samples.
  static let stride: Int64 = 64

  /// When each entry at a multiple of the stride was recorded, ascending.
  let samples: [Int64]
  /// The number of entries, and when the last one was recorded.
  let count: Int64
  let lastAt: Int64

  /// The predicted place, from 0, of an entry recorded at a time: entries are assumed to come
  /// evenly between samples.
  func expectedPlace(at time: Int64) -> Int64 {
    guard let index = samples.lastIndex(notAbove: time) else { return 0 }
    let place = Int64(index) &* Self.stride
    let isLast = index + 1 == samples.count
    let (next, nextTime) =
      isLast ? (count &- 1, lastAt) : (place &+ Self.stride, samples[index + 1])
    let span = nextTime &- samples[index]
    guard span > 0 else { return place }
    // Milliseconds times entries between two samples are some 2 to the power of 44; a forged index
    // gives an odd place.
    return place &+ (time &- samples[index]) &* (next &- place) / span
  }
}

/// The prediction of the next log in a list.
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

  /// The predicted time of a log of a day.
  func time(on day: Int64) -> Int64 { time &+ (day &- self.day) &* 86_400_000 }

  /// Updates the prediction after a log.
  mutating func update(time: Int64, day: Int64, actor: Int64) {
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
  /// The number of entries so far.
  private(set) var count = 0

  /// Whether to start another block; a lookup reads everything before its list in a block.
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

  /// Starts the list of an aggregate, with its number of entries.
  mutating func beginList(of code: Int64, _ count: Int) {
    codes.put(code &- lastCode)
    counts.put(Int64(count))
    lastCode = code
    expected.beginList()
  }

  /// Adds the next entry of the list, with its place in the segment and its bytes.
  ///
  /// - Returns: The entry's event.
  /// - Throws: ``AvroError`` when the bytes are no entry.
  @discardableResult
  mutating func put(
    _ bytes: ArraySlice<UInt8>, at place: Int64, _ entryTimes: TimeSamples
  ) throws(AvroError) -> Event {
    var reader = BinaryReader(bytes.span.bytes)
    let entry = try Entry(from: &reader)
    count += 1
    let time = entry.head.at.milliseconds
    positions.put(place &- entryTimes.expectedPlace(at: time))
    if let logged = plainLog(entry, bytes) {
      put(logged, entry.head)
    } else {
      forms.bytes.append(0)
      entries.put(counted: bytes)
    }
    return entry.event
  }

  /// The entry as a log, if everything in it fits the columns.
  private mutating func plainLog(_ entry: Entry, _ bytes: ArraySlice<UInt8>) -> HabitLogged? {
    guard case .habitLogged(let logged) = entry.event, logged.note == nil,
      logged.entered == nil, 0...1 ~= entry.head.step,
      Aggregate.habit(logged.habit).code == lastCode
    else { return nil }
    // Bytes that encode the same entry in another way are stored whole.
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
    expected.update(time: time, day: day, actor: actor)
  }
}

// MARK: Reading

extension Postings {
  /// The entries of some aggregates, oldest first, up to the end of what is wanted; one list for
  /// each aggregate that has entries.
  ///
  /// - Parameters:
  ///   - range: The aggregates' codes.
  ///   - first: The position of the segment's first entry.
  ///   - entryTimes: The segment's times.
  ///   - isBefore: Whether an entry comes before the end of what is wanted; reading stops at the
  ///     first that does not.
  /// - Returns: The entries, by code.
  /// - Throws: ``AvroError`` when the columns do not form entries.
  func lists(
    of range: Range<Int64>, from first: Int64, _ entryTimes: TimeSamples,
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
          expected.update(time: log.time, day: log.day, actor: log.actor)
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
      let source = LogSource(symbolNumber: Int(form) - 1), value >= 0,
      let amount = Amount(thousandths: value & 1 == 1 ? value >> 1 : (value >> 1) &* 1000),
      let actor = Int(exactly: log.actor), actor == 0 || Account.ID(actor) != nil
    else { throw .numberTooLarge }
    return Entry(
      EntryHead(position: 0, at: at, actor: Account.ID(actor), key: nil),
      .habitLogged(HabitLogged(habit: habit, day: day, value: amount, source: source)))
  }
}
