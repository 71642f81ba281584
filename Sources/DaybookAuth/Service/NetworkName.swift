/// The network of a request, for the purpose of limits.
///
/// The owner of one IPv6 address usually has all 2^64 of its network, so these count as one (RFC 4291, 2.5.4).
enum NetworkName {
  /// The network of an address: an IPv4 address itself, in either form, or the first 64 bits of an IPv6 address.
  /// All requests with an unknown or invalid address count as one network. A port, which proxies may add, is
  /// ignored, because it differs for each connection.
  static func of(_ address: String?) -> String {
    guard let address else { return "unknown" }
    let plain = withoutPort(address)
    if let bytes = bytes(of: plain) { return bytes.map(String.init).joined(separator: ".") }
    guard let groups = groups(of: plain.prefix { $0 != "%" }) else { return "unknown" }
    if groups.prefix(6) == [0, 0, 0, 0, 0, 0xFFFF] {
      return groups.suffix(2).map { "\($0 >> 8).\($0 & 0xFF)" }.joined(separator: ".")
    }
    return groups.prefix(4).map { String($0, radix: 16) }.joined(separator: ":") + "::/64"
  }

  /// An address without a port: `192.0.2.1:80`, `[2001:db8::1]:80`.
  private static func withoutPort(_ address: String) -> Substring {
    if address.hasPrefix("[") { return address.dropFirst().prefix { $0 != "]" } }
    let parts = address.split(separator: ":", omittingEmptySubsequences: false)
    return parts.count == 2 ? parts[0] : address[...]
  }

  /// The four bytes of an IPv4 address; `nil` for anything else.
  private static func bytes(of text: Substring) -> [UInt8]? {
    let pieces = text.split(separator: ".", omittingEmptySubsequences: false)
    let bytes = pieces.compactMap { UInt8($0) }
    return pieces.count == 4 && bytes.count == 4 ? bytes : nil
  }

  /// The eight groups of an IPv6 address; `nil` for anything else (RFC 4291, 2.2).
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
