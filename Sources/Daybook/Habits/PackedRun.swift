/// The bytes of one packed day, in a register: nearly every record has eight or fewer.
struct PackedWord: PackedSink {
  static let byteCount = 8

  private(set) var bits: UInt64 = 0
  private(set) var count = 0

  /// Whether all bytes fitted.
  var isWhole: Bool { count <= Self.byteCount }

  @inline(__always)
  mutating func put(byte: UInt8) {
    bits |= UInt64(byte) &<< UInt64(truncatingIfNeeded: count &<< 3)
    count &+= 1
  }
}

/// The bytes of one record: at most four numbers of ten bytes.
struct PackedRecord: PackedSink {
  private(set) var bytes = InlineArray<40, UInt8>(repeating: 0)
  private(set) var count = 0

  @inline(__always)
  mutating func put(byte: UInt8) {
    bytes[count] = byte
    count &+= 1
  }
}

/// Days that were packed one after another outside their table.
struct PackedRun {
  private(set) var byteCount: UInt8 = 0
  private(set) var count: UInt8 = 0
  /// The offset of the last day.
  private(set) var lastStart: UInt8 = 0

  @inline(__always)
  mutating func append(_ word: PackedWord) {
    lastStart = byteCount
    byteCount &+= UInt8(truncatingIfNeeded: word.count)
    count &+= 1
  }
}
