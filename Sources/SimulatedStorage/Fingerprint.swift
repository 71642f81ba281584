/// A hash that is the same in every run; it identifies disks, and is not cryptographic.
public struct Fingerprint: Sendable {
  /// The hash of the data so far.
  public private(set) var value: UInt64

  public init(_ seed: UInt64 = 0x9E37_79B9_7F4A_7C15) { value = seed }

  /// Adds a number.
  public mutating func combine(_ number: UInt64) {
    let product = (value ^ number).multipliedFullWidth(by: 0xD6E8_FEB8_6659_FD93)
    value = product.high ^ product.low &+ 0x2545_F491_4F6C_DD1D
  }

  /// Adds bytes and their count.
  public mutating func combine(_ bytes: some Sequence<UInt8>) {
    var word: UInt64 = 0
    var count: UInt64 = 0
    for byte in bytes {
      word = word << 8 | UInt64(byte)
      count += 1
      if count & 7 == 0 { combine(word) }
    }
    combine(word)
    combine(count)
  }
}
