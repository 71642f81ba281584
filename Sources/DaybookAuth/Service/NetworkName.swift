/// The network that a request comes from, as limits count it.
///
/// Whoever has one IPv6 address has the 2^64 of its network, so that all of these are one (RFC 4291, 2.5.4).
enum NetworkName {
  /// What an address is counted as: an IPv4 address as itself, in either form, an IPv6 one as its first 64 bits. All
  /// requests whose address is not known are counted as one network.
  static func of(_ address: String?) -> String {
    guard let address else { return "unknown" }
    guard let groups = groups(of: address.prefix { $0 != "%" }) else { return address }
    if groups.prefix(6) == [0, 0, 0, 0, 0, 0xFFFF] {
      return groups.suffix(2).map { "\($0 >> 8).\($0 & 0xFF)" }.joined(separator: ".")
    }
    return groups.prefix(4).map { String($0, radix: 16) }.joined(separator: ":") + "::/64"
  }

  /// The eight groups of an IPv6 address; nothing when it is none (RFC 4291, 2.2).
  private static func groups(of text: Substring) -> [UInt16]? {
    let halves = text.split(separator: "::", omittingEmptySubsequences: false)
    guard halves.count <= 2, let first = halves.first, let head = pieces(of: first) else {
      return nil
    }
    guard halves.count == 2 else { return head.count == 8 ? head : nil }
    guard let tail = pieces(of: halves[1]), head.count + tail.count < 8 else { return nil }
    return head + [UInt16](repeating: 0, count: 8 - head.count - tail.count) + tail
  }

  private static func pieces(of text: Substring) -> [UInt16]? {
    guard !text.isEmpty else { return [] }
    var pieces: [UInt16] = []
    for piece in text.split(separator: ":", omittingEmptySubsequences: false) {
      if piece.contains(".") {
        let bytes = piece.split(separator: ".", omittingEmptySubsequences: false)
          .compactMap { UInt8($0) }
        guard bytes.count == 4, piece.endIndex == text.endIndex else { return nil }
        for place in [0, 2] { pieces.append(UInt16(bytes[place]) << 8 | UInt16(bytes[place + 1])) }
      } else {
        guard piece.utf8.count <= 4, let group = UInt16(piece, radix: 16) else { return nil }
        pieces.append(group)
      }
    }
    return pieces
  }
}
