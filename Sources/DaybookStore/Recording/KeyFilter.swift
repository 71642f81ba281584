import Avro
import Daybook

/// A growing Bloom filter of idempotency keys: a key was certainly never used, or perhaps was.
///
/// With sixteen bits a key and eight probes, fewer than one in a thousand unused keys gets "perhaps";
/// then the journal is read to decide. Each layer is twice as large as the one before, so n
/// keys take at most 32 n bits, and nothing is ever rehashed.
struct KeyFilter: Sendable {
  private struct Layer: Sendable {
    var bits: [UInt64]
    var room: Int

    /// How many keys a layer holds.
    static func capacity(of index: Int) -> Int { 1024 << index }
    /// How many words of bits a layer has.
    static func wordCount(of index: Int) -> Int { capacity(of: index) * 16 / 64 }
  }

  private static let probes = 8
  private var layers: [Layer] = []

  mutating func insert(_ key: Key) {
    if layers.last.map({ $0.room == 0 }) ?? true {
      let words = [UInt64](repeating: 0, count: Layer.wordCount(of: layers.count))
      layers.append(Layer(bits: words, room: Layer.capacity(of: layers.count)))
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

  /// The bit of a probe, from two hashes of the key combined (Kirsch and Mitzenmacher, 2006). Both
  /// hashes cover the whole key, because keys may share either half.
  private static func bit(_ key: Key, _ probe: Int, _ words: Int) -> Int {
    let first = key.searchHash
    let hash = first &+ UInt64(probe) &* (splitMix(first &+ 0x9E37_79B9_7F4A_7C15) | 1)
    return Int(hash.multipliedFullWidth(by: UInt64(words * 64)).high)
  }
}

// MARK: In pieces, for a snapshot

extension KeyFilter {
  /// Part of the bits of a layer.
  struct Piece: AvroRecord, Equatable {
    /// The layer, from 0.
    var layer: Int32 = 0
    /// How many more keys the layer can hold.
    var room: Int64 = 0
    /// Words of 64 bits, little-endian; they follow those of the piece before.
    var words = AvroBytes()

    // The record's name identifies the hash functions. A snapshot whose record has another name is
    // ignored.
    static let recordName = "HashedKeys"
    static var placeholder: Piece { Piece() }

    mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(
      _ visitor: inout V
    ) throws(V.Failure) {
      try visitor.visit("layer", &layer)
      try visitor.visit("room", &room, [.doc("how many more keys the layer takes")])
      try visitor.visit(
        "words", &words, [.doc("bits of the layer: words of 64, lowest byte first")])
    }
  }

  /// The most words in a piece: 1 MiB.
  private static let pieceWordCount = 1 << 17

  /// Calls `body` with the pieces of all layers in order.
  func forEachPiece(_ body: (Piece) throws -> Void) rethrows {
    for (index, layer) in layers.enumerated() {
      for start in stride(from: 0, to: layer.bits.count, by: Self.pieceWordCount) {
        let words = layer.bits[start..<min(layer.bits.count, start + Self.pieceWordCount)]
        let bytes = words.flatMap { word in
          (0..<8).map { UInt8(truncatingIfNeeded: word >> UInt64(8 * $0)) }
        }
        try body(Piece(layer: Int32(index), room: Int64(layer.room), words: AvroBytes(bytes)))
      }
    }
  }

  /// Adds the next piece; returns whether it fits those before it.
  mutating func add(_ piece: Piece) -> Bool {
    let index = Int(piece.layer)
    if index == layers.count {
      guard isWhole, index < 40 else { return false }
      layers.append(Layer(bits: [], room: Int(piece.room)))
    }
    let bytes = piece.words.bytes
    guard index == layers.count - 1, bytes.count % 8 == 0 else { return false }
    for start in stride(from: 0, to: bytes.count, by: 8) {
      let word = bytes[start..<start + 8].reversed().reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
      layers[index].bits.append(word)
    }
    return true
  }

  /// Whether every layer is complete.
  var isWhole: Bool {
    layers.indices.allSatisfy { index in
      layers[index].bits.count == Layer.wordCount(of: index)
        && 0...Layer.capacity(of: index) ~= layers[index].room
    }
  }
}
