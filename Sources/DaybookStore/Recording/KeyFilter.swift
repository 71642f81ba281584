import Daybook

/// Says of an idempotency key that it was surely never used, or perhaps was: a Bloom filter that grows.
///
/// Sixteen bits a key and eight probes give a wrong "perhaps" less than once in a thousand times; each such
/// is settled by reading the journal. Layers double, so n keys take at most 32 n bits, and nothing is ever
/// rehashed.
struct KeyFilter: Sendable {
  private struct Layer: Sendable {
    var bits: [UInt64]
    var room: Int
  }

  private static let probes = 8
  private var layers: [Layer] = []

  mutating func insert(_ key: Key) {
    if layers.last.map({ $0.room == 0 }) ?? true {
      let capacity = 1024 << layers.count
      layers.append(Layer(bits: [UInt64](repeating: 0, count: capacity * 16 / 64), room: capacity))
    }
    let last = layers.count - 1
    for probe in 0..<Self.probes {
      let bit = Self.bit(key, probe, layers[last].bits.count)
      layers[last].bits[bit >> 6] |= 1 << UInt64(bit & 63)
    }
    layers[last].room -= 1
  }

  func mayContain(_ key: Key) -> Bool {
    layers.contains { layer in
      (0..<Self.probes).allSatisfy { probe in
        let bit = Self.bit(key, probe, layer.bits.count)
        return layer.bits[bit >> 6] >> UInt64(bit & 63) & 1 == 1
      }
    }
  }

  /// The place of a probe: two hashes of the key, combined (Kirsch and Mitzenmacher, 2006).
  private static func bit(_ key: Key, _ probe: Int, _ words: Int) -> Int {
    let hash =
      mix(key.high ^ mix(key.low)) &+ UInt64(probe) &* (mix(key.low &+ 0x9E37_79B9_7F4A_7C15) | 1)
    return Int(hash.multipliedFullWidth(by: UInt64(words * 64)).high)
  }

  /// The finalizer of SplitMix64.
  private static func mix(_ value: UInt64) -> UInt64 {
    var value = value
    value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
    return value ^ (value >> 31)
  }
}
