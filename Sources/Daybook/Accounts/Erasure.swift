public import Avro

/// An account was erased (ES-6): what it said about a person was blanked in the journal itself, as were its habits,
/// goals and tasks. The times of the events stay on record.
///
/// It is the one exception to "events are never changed". The digests of each rewritten segment, before and after, let
/// an interrupted erasure be finished after a crash; segments of format 1 are verified by them, too.
public struct AccountErased: EventRecord {
  /// The account.
  public var account: Account.ID = .placeholder
  /// The segments that were rewritten.
  public var segments: [RewrittenSegment] = []

  init() {}

  public init(account: Account.ID, segments: [RewrittenSegment]) {
    self.account = account
    self.segments = segments
  }

  public static var recordName: String { "AccountErased" }
  var rowScope: RowScope { .everything }
  var verb: String { "erased the account" }
  var reasonNotToUndo: String? { "an erasure is final" }

  public mutating func visitFields<V: AnyFieldVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.visit("account", &account)
    try visitor.visit("segments", &segments)
  }
}

/// A sealed segment whose entries an erasure changed. The digests are SHA-256, 64 hexadecimal digits.
public struct RewrittenSegment: AvroRecord, Hashable {
  /// The position of the segment's first entry.
  public var first: Int64 = 0
  /// The digest of the file as it was.
  public var fileBefore = ""
  /// The digest of the file as it is now.
  public var fileAfter = ""
  /// The digest of the entries as they were (`daybook.entries`).
  public var entriesBefore = ""
  /// The digest of the entries as they are now.
  public var entriesAfter = ""

  public init(
    first: Int64, fileBefore: String, fileAfter: String, entriesBefore: String,
    entriesAfter: String
  ) {
    self.first = first
    self.fileBefore = fileBefore
    self.fileAfter = fileAfter
    self.entriesBefore = entriesBefore
    self.entriesAfter = entriesAfter
  }

  public static var recordName: String { "RewrittenSegment" }
  public static var placeholder: RewrittenSegment {
    RewrittenSegment(first: 0, fileBefore: "", fileAfter: "", entriesBefore: "", entriesAfter: "")
  }

  public mutating func visitFields<V: AnyFieldVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.visit("first", &first)
    try visitor.visit("file_before", &fileBefore)
    try visitor.visit("file_after", &fileAfter)
    try visitor.visit("entries_before", &entriesBefore)
    try visitor.visit("entries_after", &entriesAfter)
  }
}

extension AccountErased: ChangeEvent {
  var changed: Account.ID { account }
  func change(_ account: inout Account, _ head: EntryHead) { account.erase(at: head.at) }
}

extension BookState {
  /// Blanks what a replay of the rewritten entries finds blank, so that a state in memory equals one that is replayed
  /// afterwards.
  mutating func apply(_ event: AccountErased, _ head: EntryHead) {
    for kind in EntityKind.allCases { kind.type.erase(with: event.account, at: head.at, in: &self) }
  }
}

extension StoredEntity {
  fileprivate static func erase(
    with account: Account.ID, at instant: Instant, in state: inout BookState
  ) {
    for number in owned(by: account, in: state) {
      state.update(number) { $0.erase(at: instant) }
    }
  }
}
