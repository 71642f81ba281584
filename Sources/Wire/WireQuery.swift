/// The query of a request target: decoded names and values in order; a name may occur several times.
public struct WireQuery: Sendable, Hashable {
  /// A name and its value.
  public struct Item: Sendable, Hashable {
    /// The name.
    public var name: String
    /// Its value; empty without a `=`.
    public var value: String

    public init(_ name: String, _ value: String) {
      self.name = name
      self.value = value
    }
  }

  /// The items, in order.
  public var items: [Item]

  public init(_ items: [Item] = []) { self.items = items }

  /// Parses the query of a request target, without its `?`. `+` is a space; invalid UTF-8 is replaced, and a `%`
  /// without two hexadecimal digits stands for itself.
  public init(encoded: some StringProtocol) {
    items = encoded.utf8.split(separator: UInt8(ascii: "&")).map { piece in
      let end = piece.firstIndex(of: UInt8(ascii: "=")) ?? piece.endIndex
      let value = end == piece.endIndex ? piece[end...] : piece[piece.index(after: end)...]
      return Item(
        Self.decoded(piece[..<end], plusIsSpace: true), Self.decoded(value, plusIsSpace: true))
    }
  }

  /// The value of the first item with a name.
  public subscript(name: String) -> String? { items.first { $0.name == name }?.value }

  /// Decodes the percent codes in a part of a target.
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
