import Crypto
public import Daybook

/// The secret with which phone numbers, e-mail addresses and subjects are hashed (HH-6). Without
/// it, nobody who has a book can find a phone number by trying all of them.
///
/// It is a setting of the book's operator and is never in the journal. It must stay the same: with
/// another pepper, nobody is recognised any more.
public struct Pepper: Sendable {
  /// The smallest number of bytes.
  package static let smallestByteCount = 16
  private let bytes: [UInt8]

  /// Takes a secret's bytes as they are; they must be random and known to nobody else.
  ///
  /// - Throws: ``Rejection/pepperTooShort``.
  public init(_ bytes: [UInt8]) throws(Rejection) {
    guard bytes.count >= Self.smallestByteCount else { throw .pepperTooShort }
    self.bytes = bytes
  }

  /// Takes a text's bytes, without the white space around it.
  ///
  /// - Throws: ``Rejection/pepperTooShort``.
  public init(_ text: String) throws(Rejection) {
    let kept = text.drop { $0.isWhitespace }
    let end = kept.lastIndex { !$0.isWhitespace }.map { kept.index(after: $0) } ?? kept.startIndex
    try self.init(Array(kept[..<end].utf8))
  }

  /// The hash of a value: sha256(pepper ‖ the normalised value).
  ///
  /// - Throws: ``Rejection/invalidIdentity(_:)``.
  public func hash(
    _ kind: IdentityKind, _ value: String
  ) throws(Rejection) -> IdentityHash {
    hashing(try kind.normalised(value))
  }

  /// Starts a hash that nobody can reproduce without the secret.
  func update(_ hash: inout SHA256) { hash.update(data: bytes) }

  /// Hashes normalised values.
  var hashing: Request.Hashing {
    { normalised in
      var hash = SHA256()
      hash.update(data: bytes)
      hash.update(data: Array(normalised.utf8))
      return IdentityHash(padding: hash.finalize())
    }
  }
}

extension Pepper: CustomStringConvertible, CustomReflectable {
  /// Reveals nothing, so that the secret is not printed by mistake.
  public var description: String { "Pepper" }
  /// Reveals nothing.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

extension Rejection {
  /// The refusal of a pepper that is short enough to guess.
  package static let pepperTooShort = Rejection(
    .pepperTooShort,
    "The pepper is shorter than \(Pepper.smallestByteCount) bytes; use a random one, such as "
      + "`openssl rand -hex 32` makes."
  )
}
