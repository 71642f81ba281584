import Crypto

/// A SHA-256 digest, which stands for bytes that must never change.
public struct Digest: Hashable, Sendable, CustomStringConvertible {
  /// The thirty-two bytes.
  let bytes: SIMD32<UInt8>

  /// The digest of nothing: it precedes the first segment of format 1.
  package static let none = Digest(bytes: .zero)

  init(bytes: SIMD32<UInt8>) { self.bytes = bytes }

  /// Makes a digest of thirty-two bytes; fails for any other number.
  package init?(bytes: some Collection<UInt8>) {
    guard bytes.count == 32 else { return nil }
    let vector = bytes.withContiguousStorageIfAvailable {
      UnsafeRawBufferPointer($0).loadUnaligned(as: SIMD32<UInt8>.self)
    }
    self.init(bytes: vector ?? SIMD32(bytes))
  }

  /// The bytes in order.
  package var byteList: [UInt8] { (0..<32).map { bytes[$0] } }

  /// Parses 64 lower-case hexadecimal digits; fails for anything else.
  public init?(_ text: some StringProtocol) {
    var bytes = SIMD32<UInt8>.zero
    var count = 0
    for digit in text.utf8 {
      let value: UInt8
      switch digit {
      case 0x30...0x39: value = digit - 0x30
      case 0x61...0x66: value = digit - 0x57
      default: return nil
      }
      guard count < 64 else { return nil }
      bytes[count / 2] = bytes[count / 2] << 4 | value
      count += 1
    }
    guard count == 64 else { return nil }
    self.bytes = bytes
  }

  /// The digest of bytes.
  public init(of bytes: some Sequence<UInt8>) { self.init(SHA256.hash(data: Array(bytes))) }

  /// The result of a hash.
  init(_ hash: SHA256Digest) {
    bytes = hash.withUnsafeBytes { $0.loadUnaligned(as: SIMD32<UInt8>.self) }
  }

  /// 64 hexadecimal digits, lower case.
  public var description: String {
    String(unsafeUninitializedCapacity: 64) { digits in
      for index in 0..<32 {
        digits[2 * index] = Self.digit(bytes[index] >> 4)
        digits[2 * index + 1] = Self.digit(bytes[index] & 0xF)
      }
      return 64
    }
  }

  private static func digit(_ value: UInt8) -> UInt8 { value < 10 ? 0x30 + value : 0x57 + value }
}

extension SHA256 {
  /// Hashes the thirty-two bytes of a digest.
  mutating func update(_ bytes: SIMD32<UInt8>) {
    withUnsafeBytes(of: bytes) { update(bufferPointer: $0) }
  }

  /// Hashes one byte.
  mutating func update(_ byte: UInt8) {
    withUnsafeBytes(of: byte) { update(bufferPointer: $0) }
  }

  /// Hashes a number's eight bytes, big-endian.
  mutating func update(_ number: Int64) {
    withUnsafeBytes(of: number.bigEndian) { update(bufferPointer: $0) }
  }

  /// Hashes some bytes.
  mutating func update(_ bytes: RawSpan) {
    bytes.withUnsafeBytes { update(bufferPointer: $0) }
  }
}
