/// A colour with eight bits per channel.
package struct RGB: Hashable, Sendable {
  package var red: Int
  package var green: Int
  package var blue: Int

  package init(_ hexadecimal: Int) {
    red = hexadecimal >> 16 & 255
    green = hexadecimal >> 8 & 255
    blue = hexadecimal & 255
  }

  /// `#RRGGBB`.
  package var text: String {
    let digits = String(red << 16 | green << 8 | blue, radix: 16, uppercase: true)
    return "#" + String(repeating: "0", count: 6 - digits.count) + digits
  }
}
