import Crypto
public import Daybook

/// The secret that phone numbers, e-mail addresses and subjects are hashed with (HH-6): without it nobody who has
/// a book can try all phone numbers until one fits.
///
/// It is a setting of whoever runs the book, and never in the journal. It must stay the same: with another, nobody
/// is recognised any more.
public struct Pepper: Sendable {
  /// How many bytes there must be.
  package static let smallestByteCount = 16
  private let bytes: [UInt8]

  /// Takes a secret as it is: random, and known to nobody else.
  ///
  /// - Throws: ``Rejection/pepperTooShort``.
  public init(_ bytes: [UInt8]) throws(Rejection) {
    guard bytes.count >= Self.smallestByteCount else { throw .pepperTooShort }
    self.bytes = bytes
  }

  /// Takes the bytes of a text, without the white space around it.
  ///
  /// - Throws: ``Rejection/pepperTooShort``.
  public init(_ text: String) throws(Rejection) {
    let kept = text.drop { $0.isWhitespace }
    let end = kept.lastIndex { !$0.isWhitespace }.map { kept.index(after: $0) } ?? kept.startIndex
    try self.init(Array(kept[..<end].utf8))
  }

  /// What is kept of a value: sha256(pepper ‖ the normalised value).
  ///
  /// - Throws: ``Rejection/invalidIdentity(_:)``.
  public func hash(
    _ kind: IdentityKind, _ value: String
  ) throws(Rejection) -> IdentityHash {
    hashing(try kind.normalised(value))
  }

  /// Begins a hash of what nobody can try out who has not the secret.
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
  /// Says nothing: a secret is not printed by mistake.
  public var description: String { "Pepper" }
  /// Shows nothing.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

extension Rejection {
  /// A pepper so short that it can be guessed.
  package static let pepperTooShort = Rejection(
    .pepperTooShort,
    "The pepper is shorter than \(Pepper.smallestByteCount) bytes; take a random one, as `openssl rand -hex 32` makes it."
  )
}
