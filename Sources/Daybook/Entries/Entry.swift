public import Values
public import Calendar
public import Avro

/// The fields before every event in the journal: when and by whom.
public struct EntryHead: Hashable, Sendable {
  /// The position of the entry in its book, from 1. It follows from the place in the file, and is not written.
  public var position: Int64 = 0
  /// When it was recorded, by the book's clock; never earlier than the entry before.
  public var at: Instant = .placeholder
  /// The acting account; nobody when an account creates itself.
  public var actor: Account.ID?
  /// The idempotency key of the command, on the first entry of its commit.
  public var key: Key?
  /// The number of the entry within its command, from 1; 0 when that is unknown, as for entries older than the field.
  public var step: Int32 = 0

  public init(
    position: Int64, at: Instant, actor: Account.ID?, key: Key?, step: Int32 = 0
  ) {
    self.position = position
    self.at = at
    self.actor = actor
    self.key = key
    self.step = step
  }

  /// Makes the head of one of a command's entries.
  ///
  /// - Parameters:
  ///   - position: The entry's position.
  ///   - index: The number of the command's entries before it.
  ///   - context: The actor and the time.
  ///   - id: The command's idempotency key.
  package init(position: Int64, after index: Int, of context: borrowing Context, id: Key?) {
    self.init(
      position: position, at: context.at, actor: context.actor, key: index == 0 ? id : nil,
      step: Int32(clamping: index + 1))
  }

  /// The position of the first entry of its command, if the entry knows its step.
  package var commandStart: Int64? { step > 0 ? position &- Int64(step) &+ 1 : nil }

  @usableFromInline
  init() {}

  @inlinable
  @inline(__always)
  @_lifetime(visitor: copy visitor)
  mutating func visitFields<V: AnyFieldVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.visit("at", &at, [.doc("when it was recorded; never decreases")])
    try visitor.visit("actor", &actor, [.doc("the number of the account that acted")])
    try visitor.visit(
      "key", &key, [.doc("idempotency key of the command, on the first entry of its commit")])
    try visitor.visit(
      "step", &step,
      [.doc("which entry of its command it is, from 1; 0 where that is not said"), .ifAbsent(0)])
  }
}

/// One event with its head: a record of the journal.
public struct Entry: Hashable, Sendable, AvroRecord {
  /// When and by whom.
  public var head: EntryHead
  /// The event that happened.
  public var event: Event

  public init(_ head: EntryHead, _ event: Event) {
    self.head = head
    self.event = event
  }

  public static var recordName: String { "Entry" }
  public static var placeholder: Entry { Entry(EntryHead(), .habitDeleted(.placeholder)) }

  /// The head's fields, then the event.
  public mutating func visitFields<V: AnyFieldVisitor>(_ visitor: inout V) throws(V.Failure) {
    try head.visitFields(&visitor)
    try visitor.visit("event", &event)
  }

  /// Writes the fields in order. Nearly all entries are logs; they are written without a check for other events.
  public func write(to writer: inout BinaryWriter) {
    var head = head
    if case .habitLogged(var logged) = event { return logged.write(under: &head, to: &writer) }
    head.visitFields(&writer)
    event.write(to: &writer)
  }
}

extension HabitLogged {
  /// The largest number of bytes of an entry that is a log without a note or other extra values.
  private static let largestByteCount = 128

  /// Writes the entry of a log under a head. Both stay unchanged, as with every visit by a writer.
  @inline(__always)
  mutating func write(under head: inout EntryHead, to writer: inout BinaryWriter) {
    writer.put(upTo: Self.largestByteCount + (note?.utf8.count ?? 0)) { output in
      head.visitFields(&output)
      output.put(Int64(HabitLogged.branch))
      visitFields(&output)
    }
  }
}

/// A value that is computed by applying entries in order: the state of a book, or a custom view.
///
/// `apply` must be total and pure: it never fails, and reads no clock. Then every replay of the same
/// entries gives the same result (ES-2).
public protocol Projection {
  /// Whether no later entry can change anything: then the rest of a block is left unread. Most projections are never
  /// complete.
  var isComplete: Bool { get }
  /// Applies one entry.
  mutating func apply(_ entry: Entry)
  /// Applies one log: the event of nearly all entries, passed without wrapping it.
  mutating func apply(_ logged: HabitLogged, _ head: EntryHead)
  /// Applies the entries of a block from `start` on, until one was recorded after `last` or the projection is complete;
  /// returns whether neither happened.
  ///
  /// The default implementation calls ``readEntries(_:in:from:startingAt:until:)``. A projection that calls that in its
  /// own module has all of it specialised there.
  ///
  /// - Throws: ``AvroError`` when the bytes are not `count` entries.
  mutating func applyEntries(
    _ count: Int, in bytes: RawSpan, from first: Int64, startingAt start: Int64,
    until last: Instant
  ) throws(AvroError) -> Bool
}

extension Projection {
  /// Never complete.
  @inlinable
  public var isComplete: Bool { false }

  /// Applies the entries of a block, one after another.
  ///
  /// - Throws: ``AvroError`` when the bytes are not `count` entries.
  @inlinable
  public mutating func applyEntries(
    _ count: Int, in bytes: RawSpan, from first: Int64, startingAt start: Int64,
    until last: Instant
  ) throws(AvroError) -> Bool {
    try readEntries(count, in: bytes, from: first, startingAt: start, until: last)
  }

  /// Wraps the log and applies it like any other entry.
  @inlinable
  public mutating func apply(_ logged: HabitLogged, _ head: EntryHead) {
    apply(Entry(head, .habitLogged(logged)))
  }

  /// Applies the entries of a block from `start` on, until one was recorded after `last` or the projection is complete;
  /// returns whether neither happened.
  ///
  /// - Throws: ``AvroError`` when the bytes are not `count` entries.
  @inlinable
  package mutating func readEntries(
    _ count: Int, in bytes: RawSpan, from first: Int64, startingAt start: Int64 = 0,
    until last: Instant
  ) throws(AvroError) -> Bool {
    var reader = BinaryReader(bytes)
    var head = EntryHead()
    head.position = first
    // Every log is read into the same variable: a new value for each entry would be copied and destroyed.
    var logged = HabitLogged.placeholder
    for _ in 0..<count {
      try head.visitFields(&reader)
      guard head.at <= last else { return false }
      let branch = try reader.takeInt()
      if branch == HabitLogged.branch {
        try logged.visitFields(&reader)
        if head.position >= start { apply(logged, head) }
      } else {
        let event = try Event(branch: branch, from: &reader)
        if head.position >= start { apply(Entry(head, event)) }
      }
      if isComplete { return false }
      head.position &+= 1
    }
    guard reader.isAtEnd else { throw .trailingBytes }
    return true
  }
}
