import Avro
import Daybook
import DaybookStore
import Journal
import SimulatedStorage

/// An account with a habit, which repeats one word.
struct Person {
  var account: Account.ID
  var habit: Habit.ID
  var word: String

  /// Whether the state has this very account.
  func isKnown(in state: BookState) -> Bool {
    guard let found = state.accounts[account], let habit = state.habits[habit] else { return false }
    return found.displayName == word && habit.owner == account
  }
}

/// The promises about a whole book at some moment.
struct Pledge {
  var isMade = false
  /// A fingerprint of each entry that was acknowledged, or read by a program that opened the book for writing.
  var kept: [UInt64] = []
  /// How many entries may follow.
  var followingCount = 0
  /// The account being erased: its words may be blank or not.
  var erasing: Person?
  /// The words of erased accounts, which must be nowhere.
  var erased: [String] = []
  /// The content of the last finished backup.
  var backup: [UInt64]?
  /// The contents of backups started since and not acknowledged: a kill may leave one whole, and a power failure
  /// after it may revert that.
  var laterBackups: [[UInt64]] = []

  /// Acknowledged ⊆ recovered ⊆ submitted, in order.
  func judge(_ entries: [UInt64]) throws(Flaw) {
    if erasing == nil {
      try Flaw.require(
        entries.starts(with: kept), "\(kept.count) entries were kept, others are there")
    }
    let count = entries.count - kept.count
    try Flaw.require(
      (0...followingCount).contains(count),
      "\(count) entries more than were kept, \(followingCount) submitted")
  }

  /// No word of an erased account is in any file of the book.
  func judgeWords(on disk: SimulatedDisk) throws(Flaw) {
    guard !erased.isEmpty else { return }
    for (path, bytes) in disk.contents where path.hasPrefix("book/") {
      let text = try Flaw.unlessDone("reading \(path)") { try Self.text(of: bytes, at: path) }
      for word in erased {
        try Flaw.require(!text.contains(word), "\(word) was erased, and is in \(path)")
      }
    }
  }

  /// All text in a file, decompressed if it is a container.
  private static func text(of bytes: [UInt8], at path: String) throws -> String {
    guard path.hasSuffix(".avro") || path.hasSuffix(".index") else {
      return String(decoding: bytes, as: UTF8.self)
    }
    var reader = BinaryReader(bytes.span.bytes)
    let header = try ContainerHeader(from: &reader)
    let decompressor = try ZstandardDecompressor()
    var (text, buffer) = ("", [UInt8]())
    while !reader.isAtEnd {
      let block = try ContainerBlock(from: &reader, syncMarker: header.syncMarker)
      let count = try decompressor.decompress(
        bytes.span.bytes.extracting(block.payload), into: &buffer)
      text += String(decoding: buffer[..<count], as: UTF8.self)
    }
    return text
  }

  /// The last finished backup can be restored; one started since may have replaced it.
  func judgeBackup(on disk: SimulatedDisk) throws(Flaw) {
    var found: [UInt64]?
    do { found = try Self.restored(on: disk) } catch let flaw as Flaw { throw flaw } catch {
      try Flaw.require(backup == nil, "the last backup cannot be restored: \(error)")
    }
    try Flaw.require(
      found == backup || found.map(laterBackups.contains) ?? false,
      "a backup of \(found?.count ?? -1) entries, not of \(backup?.count ?? -1) as the last")
  }

  /// The content of a restored backup.
  static func restored(on disk: SimulatedDisk) throws -> [UInt64] {
    let storage = SimulatedStorage(disk)
    try BookReader(at: "copy", storage: storage).restore(to: "restored")
    let restored = BookReader(at: "restored", storage: storage)
    let verification = try restored.verify()
    try Flaw.require(verification.isWhole, "a restored backup: \(verification.damages)")
    return try BookSession.entries(of: restored)
  }
}
