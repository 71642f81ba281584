/// A text in its form for searching: without case, accents and the like, so that "cafe" finds "Café".
package struct SearchText: Hashable, Comparable, Sendable {
  private let bytes: [UInt8]

  /// Folds a text.
  package init(_ text: some StringProtocol) {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.utf8.count)
    var isPlain = true
    for byte in text.utf8 {
      guard byte < 0x80 else {
        isPlain = false
        break
      }
      bytes.append((0x41...0x5A).contains(byte) ? byte | 0x20 : byte)
    }
    if !isPlain { bytes = Self.folded(text) }
    self.bytes = bytes
  }

  /// Compares the bytes of the folded texts.
  package static func < (left: SearchText, right: SearchText) -> Bool {
    left.bytes.lexicographicallyPrecedes(right.bytes)
  }

  /// Whether the folded text is empty.
  package var isEmpty: Bool { bytes.isEmpty }

  /// Whether it includes another text.
  package func contains(_ other: SearchText) -> Bool {
    let (count, wanted) = (bytes.count, other.bytes.count)
    guard wanted > 0 else { return true }
    guard wanted <= count else { return false }
    let first = other.bytes[0]
    var start = 0
    while start <= count - wanted {
      if bytes[start] == first, bytes[start..<start + wanted].elementsEqual(other.bytes) {
        return true
      }
      start += 1
    }
    return false
  }

  private static func folded(_ text: some StringProtocol) -> [UInt8] {
    var result: [UInt8] = []
    for scalar in text.lowercased().unicodeScalars {
      if scalar.isASCII {
        result.append(UInt8(truncatingIfNeeded: scalar.value))
      } else if let ascii = fullWidth(scalar) {
        result.append(ascii)
      } else if let plain = letters[scalar] {
        result += plain.utf8
      } else if scalar.properties.generalCategory != .nonspacingMark {
        result += String(scalar).utf8
      }
    }
    return result
  }

  /// The ASCII character of a full-width one (`Ａ`), in lower case.
  private static func fullWidth(_ scalar: Unicode.Scalar) -> UInt8? {
    guard (0xFF01...0xFF5E).contains(scalar.value) else { return nil }
    return UInt8(truncatingIfNeeded: scalar.value - 0xFEE0)
  }
}
