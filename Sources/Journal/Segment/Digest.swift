import Crypto

/// A SHA-256: what stands for bytes that must never change.
public struct Digest: Hashable, Sendable, CustomStringConvertible {
  /// The thirty-two bytes.
  let bytes: SIMD32<UInt8>

  /// No bytes at all were digested: what stands before the first segment of format 1.
  package static let none = Digest(bytes: .zero)

  init(bytes: SIMD32<UInt8>) { self.bytes = bytes }

  /// Takes thirty-two bytes; any other number of them is no digest.
  package init?(bytes: some Collection<UInt8>) {
    guard bytes.count == 32 else { return nil }
    let vector = bytes.withContiguousStorageIfAvailable {
      UnsafeRawBufferPointer($0).loadUnaligned(as: SIMD32<UInt8>.self)
    }
    self.init(bytes: vector ?? SIMD32(bytes))
  }

  /// The bytes, in their order.
  package var byteList: [UInt8] { (0..<32).map { bytes[$0] } }

  /// Reads 64 hexadecimal digits in lower case; anything else is no digest.
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

  /// What a hash came to.
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
  /// Goes on with the thirty-two bytes of a digest.
  mutating func update(_ bytes: SIMD32<UInt8>) {
    withUnsafeBytes(of: bytes) { update(bufferPointer: $0) }
  }

  /// Goes on with one byte.
  mutating func update(_ byte: UInt8) {
    withUnsafeBytes(of: byte) { update(bufferPointer: $0) }
  }

  /// Goes on with a number's eight bytes, the highest first.
  mutating func update(_ number: Int64) {
    withUnsafeBytes(of: number.bigEndian) { update(bufferPointer: $0) }
  }

  /// Goes on with bytes.
  mutating func update(_ bytes: RawSpan) {
    bytes.withUnsafeBytes { update(bufferPointer: $0) }
  }
}
