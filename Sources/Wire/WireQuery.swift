/// The query of a request target: names and values in order, decoded; a name may come several times.
public struct WireQuery: Sendable, Hashable {
  /// A name and what it says.
  public struct Item: Sendable, Hashable {
    /// The name.
    public var name: String
    /// What it says; empty when there is no `=`.
    public var value: String

    public init(_ name: String, _ value: String) {
      self.name = name
      self.value = value
    }
  }

  /// The items, in order.
  public var items: [Item]

  public init(_ items: [Item] = []) { self.items = items }

  /// Reads a query as it stands in a request target, without its `?`. `+` is a space; bytes that are no UTF-8 are
  /// replaced, and a `%` that begins no code stands for itself.
  public init(encoded: some StringProtocol) {
    items = encoded.utf8.split(separator: UInt8(ascii: "&")).map { piece in
      let end = piece.firstIndex(of: UInt8(ascii: "=")) ?? piece.endIndex
      let value = end == piece.endIndex ? piece[end...] : piece[piece.index(after: end)...]
      return Item(
        Self.decoded(piece[..<end], plusIsSpace: true), Self.decoded(value, plusIsSpace: true))
    }
  }

  /// What the first item of a name says.
  public subscript(name: String) -> String? { items.first { $0.name == name }?.value }

  /// Takes the percent codes out of a piece of a target.
  public static func decoded(
    _ text: some Sequence<UInt8>, plusIsSpace: Bool = false
  ) -> String {
    let bytes = Array(text)
    var decoded: [UInt8] = []
    decoded.reserveCapacity(bytes.count)
    var place = 0
    while place < bytes.count {
      let byte = bytes[place]
      if byte == UInt8(ascii: "%"), place + 2 < bytes.count, let high = digit(bytes[place + 1]),
        let low = digit(bytes[place + 2])
      {
        decoded.append(high << 4 | low)
        place += 3
        continue
      }
      decoded.append(plusIsSpace && byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
      place += 1
    }
    return String(decoding: decoded, as: UTF8.self)
  }

  private static func digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}
