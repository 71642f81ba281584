public import Values
public import Calendar
public import Avro

/// What stands before every event in the journal: when and by whom.
public struct EntryHead: Hashable, Sendable {
  /// The place of the entry in its book, from 1. It is implied by the place in the file, not written.
  public var position: Int64 = 0
  /// When it was recorded, by the book's clock; never earlier than the entry before.
  public var at: Instant = .placeholder
  /// Who acted; nobody for an account's own creation.
  public var actor: Account.ID?
  /// The idempotency key of the command, on the first entry of its commit.
  public var key: Key?
  /// Which entry of its command this one is, from 1; 0 in entries that do not say so, such as those older than the
  /// field.
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

  /// Makes the head of an entry that a command produces.
  ///
  /// - Parameters:
  ///   - position: The entry's position.
  ///   - index: How many entries of the command come before it.
  ///   - context: Who asked, and when.
  ///   - id: The command's idempotency key.
  package init(position: Int64, after index: Int, of context: borrowing Context, id: Key?) {
    self.init(
      position: position, at: context.at, actor: context.actor, key: index == 0 ? id : nil,
      step: Int32(clamping: index + 1))
  }

  /// The position of the first entry of the same command; `nil` when the entry does not say its step.
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

/// One event with when and by whom: a line of the journal.
public struct Entry: Hashable, Sendable, AvroRecord {
  /// When and by whom.
  public var head: EntryHead
  /// What happened.
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

  /// Writes the fields in order. Nearly all entries are logs, and those are written without a look at what else
  /// an event may be.
  public func write(to writer: inout BinaryWriter) {
    var head = head
    if case .habitLogged(var logged) = event { return logged.write(under: &head, to: &writer) }
    head.visitFields(&writer)
    event.write(to: &writer)
  }
}

extension HabitLogged {
  /// As many bytes an entry takes at most that is a log with nothing written beside it.
  private static let largestByteCount = 128

  /// Writes the entry that the log makes under a head. Both are as they were, as whatever is visited by a writer.
  @inline(__always)
  mutating func write(under head: inout EntryHead, to writer: inout BinaryWriter) {
    writer.put(upTo: Self.largestByteCount + (note?.utf8.count ?? 0)) { output in
      head.visitFields(&output)
      output.put(Int64(HabitLogged.branch))
      visitFields(&output)
    }
  }
}

/// Whatever is computed by applying entries in order: the state of a book, or a view of one's own.
///
/// `apply` must be total and pure: it never fails, and reads no clock. Then every replay of the same
/// entries gives the same result (ES-2).
public protocol Projection {
  /// Whether no entry that follows changes anything any more: then the rest of a block is left unread. Most are never.
  var isComplete: Bool { get }
  /// Takes one entry into account.
  mutating func apply(_ entry: Entry)
  /// Takes one log into account: the event that nearly all entries are, given without wrapping it.
  mutating func apply(_ logged: HabitLogged, _ head: EntryHead)
  /// Applies the entries of a block, those before `start` left out, until one was recorded after `last` or the
  /// projection is complete; says whether there was neither.
  ///
  /// There is no need to write it: it does what ``readEntries(_:in:from:startingAt:until:)`` does. A
  /// projection that calls that in its own module has all of it specialised there.
  ///
  /// - Throws: ``AvroError`` when the bytes are not `count` entries.
  mutating func applyEntries(
    _ count: Int, in bytes: RawSpan, from first: Int64, startingAt start: Int64,
    until last: Instant
  ) throws(AvroError) -> Bool
}

extension Projection {
  /// Every entry counts.
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

  /// Applies the entries of a block, those before `start` left out, until one was recorded after `last` or the
  /// projection is complete; says whether there was neither.
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
    // Read into one place: a log that is made anew for each entry is copied and destroyed.
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
