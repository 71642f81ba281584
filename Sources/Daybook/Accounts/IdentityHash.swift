import Crypto
public import Avro

/// The hash that stands for a phone number, an e-mail address or a subject: sha256(pepper ‖ normalised value) (HH-6).
///
/// The domain never computes such a hash: it has neither the pepper nor the value. The adapter at the edge has both.
public struct IdentityHash: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// The 32 bytes as four words, eight bytes to a word, in order.
  private let words: SIMD4<UInt64>

  /// Makes a hash of its bytes; `nil` when they are not 32.
  public init?(_ bytes: some Collection<UInt8>) {
    guard bytes.count == 32 else { return nil }
    self.init(padding: bytes)
  }

  /// Makes a hash of the first 32 bytes, padded with zeros.
  public init(padding bytes: some Sequence<UInt8>) {
    var words = SIMD4<UInt64>.zero
    for (place, byte) in bytes.prefix(32).enumerated() {
      words[place / 8] |= UInt64(byte) << UInt64(56 - place % 8 * 8)
    }
    self.words = words
  }

  /// Reads 64 hexadecimal digits, in either case; `nil` for anything else.
  public init?(_ text: some StringProtocol) {
    var words = SIMD4<UInt64>.zero
    var count = 0
    for byte in text.utf8 {
      let digit: UInt8
      switch byte {
      case 0x30...0x39: digit = byte - 0x30
      case 0x41...0x46: digit = byte - 0x37
      case 0x61...0x66: digit = byte - 0x57
      default: return nil
      }
      guard count < 64 else { return nil }
      words[count / 16] = words[count / 16] << 4 | UInt64(digit)
      count += 1
    }
    guard count == 64 else { return nil }
    self.words = words
  }

  /// The hash of a client's text for a contact: the text itself if it is a hash, else sha256(text). Without the pepper
  /// it is never the hash of anybody's number.
  package init(ofContact text: String) {
    self = IdentityHash(text) ?? IdentityHash(padding: SHA256.hash(data: Array(text.utf8)))
  }

  private init(_ words: SIMD4<UInt64>) { self.words = words }

  static var placeholder: IdentityHash { IdentityHash(SIMD4<UInt64>.zero) }

  /// The 32 bytes.
  public var bytes: [UInt8] {
    (0..<32).map { UInt8(truncatingIfNeeded: words[$0 / 8] >> UInt64(56 - $0 % 8 * 8)) }
  }

  /// The hash in lower-case hexadecimal.
  public var description: String {
    var text = ""
    text.reserveCapacity(64)
    for place in 0..<64 {
      let digit = UInt8(truncatingIfNeeded: words[place / 16] >> UInt64(60 - place % 16 * 4) & 15)
      text.append(Character(Unicode.Scalar(digit < 10 ? 0x30 + digit : 0x57 + digit)))
    }
    return text
  }

  /// Compares the bytes, the first ones first.
  public static func < (left: IdentityHash, right: IdentityHash) -> Bool {
    for place in 0..<4 where left.words[place] != right.words[place] {
      return left.words[place] < right.words[place]
    }
    return false
  }
}

extension IdentityHash: AvroValue {
  /// `fixed(32)`, logical type `sha256`.
  public static var schema: Schema {
    .fixed(.init(name: "IdentityHash", byteCount: 32, logicalType: "sha256"))
  }

  /// Reads 32 bytes.
  @_lifetime(reader: copy reader)
  public init(from reader: inout BinaryReader) throws(AvroError) {
    guard let hash = IdentityHash(try reader.takeBytes(32)) else { throw .truncated }
    self = hash
  }

  /// Appends 32 bytes.
  public func write(to writer: inout BinaryWriter) { writer.put(raw: bytes) }
}
