import Crypto

/// A SHA-256: what stands for bytes that must never change.
public struct Digest: Hashable, Sendable, CustomStringConvertible {
  /// 64 hexadecimal digits, lower case.
  public let description: String

  /// No bytes at all were digested: what stands before the first segment.
  public static let none = Digest(unchecked: String(repeating: "0", count: 64))

  private init(unchecked text: String) { description = text }

  /// Reads 64 hexadecimal digits in lower case; anything else is no digest.
  public init?(_ text: String) {
    let digits = text.utf8
    guard digits.count == 64,
      digits.allSatisfy({ (0x30...0x39).contains($0) || (0x61...0x66).contains($0) })
    else { return nil }
    description = text
  }

  /// The digest of bytes.
  public init(of bytes: some Sequence<UInt8>) { self.init(SHA256.hash(data: Array(bytes))) }

  /// What a hash came to.
  init(_ hash: some Sequence<UInt8>) {
    description = hash.map { byte in
      let digits = String(byte, radix: 16)
      return digits.count == 1 ? "0" + digits : digits
    }.joined()
  }
}

/// The digest of a segment's entries, taken as they come: SHA-256 of the schema's text, then the entries'
/// bytes one after another.
///
/// It is of what was recorded and not of how it is stored: sealing, which cuts blocks anew and compresses
/// them otherwise, does not change it.
struct EntriesDigest {
  private var hash = SHA256()

  init(schemaText: String) { hash.update(data: Array(schemaText.utf8)) }

  mutating func update(_ bytes: RawSpan) {
    bytes.withUnsafeBytes { hash.update(bufferPointer: $0) }
  }

  /// The digest of what came so far.
  var value: Digest { Digest(hash.finalize()) }
}

/// The head of a book: a position, and a digest of all that was recorded up to it.
///
/// The digest is a chain: SHA-256 of the head at the end of the segment before, then the digest of the
/// segment's entries up to the position, both as text; before the first segment it is SHA-256 of the
/// book's id. So a head that was noted once proves later that nothing before it was changed
/// (``Journal/verify(expecting:_:)``), and neither sealing nor backing up changes it.
public struct Head: Hashable, Sendable, CustomStringConvertible {
  /// The last entry that it covers.
  public let position: Position
  /// The digest.
  public let digest: Digest

  init(position: Position, digest: Digest) {
    self.position = position
    self.digest = digest
  }

  /// The head of a book without entries.
  package init(book: String) {
    self.init(position: .start, digest: Digest(of: book.utf8))
  }

  /// The head after more entries of the segment that follows this head.
  func advanced(to position: Position, _ entries: Digest) -> Head {
    Head(
      position: position,
      digest: Digest(of: (digest.description + entries.description).utf8))
  }

  /// Reads "POSITION:DIGEST"; anything else is no head.
  public init?(_ text: String) {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2, let number = Int64(parts[0]), number >= 0,
      let digest = Digest(String(parts[1]))
    else { return nil }
    self.init(position: Position(number), digest: digest)
  }

  /// "POSITION:DIGEST".
  public var description: String { "\(position):\(digest)" }
}
