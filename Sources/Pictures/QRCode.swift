/// A text as a QR code (ISO/IEC 18004), in byte mode with error correction level M, which survives damage of 15 %.
///
/// The modules of a code of version v stand in a square of 17 + 4 v. Finders stand in three corners, timing patterns between
/// them, smaller alignment patterns inside; what is left holds the codewords of ``QRCodewords``, in columns two modules wide,
/// from the right, up and down in turn. One of eight masks is laid over them: the one with the fewest patterns that a reader
/// may mistake.
package struct QRCode: Sendable, Hashable {
  /// The version, 1…40.
  package let version: Int
  /// The number of modules in a row.
  package let size: Int
  /// The mask, 0…7.
  package private(set) var mask = 0
  /// The dark modules, row by row.
  private var isDark: [Bool]
  /// The modules that hold no codeword.
  private var isFixed: [Bool]

  /// Makes the code of a text; `nil` if the text is too long.
  ///
  /// - Parameters:
  ///   - text: The text, of at most 2331 bytes.
  ///   - mask: The mask; the best one unless given.
  package init?(_ text: String, mask: Int? = nil) {
    guard let words = QRCodewords(Array(text.utf8)) else { return nil }
    version = words.version
    size = 17 + 4 * words.version
    isDark = Array(repeating: false, count: size * size)
    isFixed = isDark
    drawPatterns()
    draw(words.bytes)
    choose(mask)
  }

  /// Whether the module in a column and a row is dark.
  package func isDark(_ x: Int, _ y: Int) -> Bool { isDark[y * size + x] }

  // MARK: Fixed patterns

  private mutating func fix(_ x: Int, _ y: Int, _ dark: Bool) {
    guard x >= 0, y >= 0, x < size, y < size else { return }
    isDark[y * size + x] = dark
    isFixed[y * size + x] = true
  }

  private mutating func drawPatterns() {
    for place in 0..<size {
      fix(place, 6, place % 2 == 0)
      fix(6, place, place % 2 == 0)
    }
    for (x, y) in [(3, 3), (size - 4, 3), (3, size - 4)] { drawRings(x, y, reach: 4) }
    let places = alignmentPlaces
    for x in places {
      for y in places where !isInFinder(x, y) { drawRings(x, y, reach: 2) }
    }
    // They are drawn with the mask; until then they only keep their places.
    drawFormat()
    drawVersion()
  }

  /// Draws square rings, dark and light in turn: a finder with its light border, or an alignment pattern.
  private mutating func drawRings(_ x: Int, _ y: Int, reach: Int) {
    for row in -reach...reach {
      for column in -reach...reach {
        let ring = max(abs(row), abs(column))
        fix(x + column, y + row, reach == 4 ? ring != 2 && ring != 4 : ring != 1)
      }
    }
  }

  /// Whether a module lies where a finder is.
  private func isInFinder(_ x: Int, _ y: Int) -> Bool {
    x < 8 && y < 8 || x < 8 && y > size - 9 || x > size - 9 && y < 8
  }

  /// The columns, and rows, of the alignment patterns, of which those within finders are left out.
  private var alignmentPlaces: [Int] {
    guard version > 1 else { return [] }
    let count = version / 7 + 2
    // The distances are even, and equal but for the first.
    let step = (version * 8 + count * 3 + 5) / (count * 4 - 4) * 2
    return [6] + (0..<count - 1).reversed().map { size - 7 - $0 * step }
  }

  /// The level and the mask, with ten bits of correction (BCH 15, 5), beside the first finder and shared by the others.
  private mutating func drawFormat() {
    // Level M is 00.
    let bits = (mask << 10 | Self.remainder(of: mask << 10, by: 0x537, 10)) ^ 0x5412
    for place in 0..<15 {
      let isOne = bits >> place & 1 == 1
      switch place {
      case 0...5: fix(8, place, isOne)
      case 6, 7: fix(8, place + 1, isOne)
      case 8: fix(7, 8, isOne)
      default: fix(14 - place, 8, isOne)
      }
      if place < 8 {
        fix(size - 1 - place, 8, isOne)
      } else {
        fix(8, size - 15 + place, isOne)
      }
    }
    fix(8, size - 8, true)
  }

  /// The version, with twelve bits of correction (BCH 18, 6), from version 7 on.
  private mutating func drawVersion() {
    guard version >= 7 else { return }
    let bits = version << 12 | Self.remainder(of: version << 12, by: 0x1F25, 12)
    for place in 0..<18 {
      let (near, far) = (place / 3, size - 11 + place % 3)
      fix(near, far, bits >> place & 1 == 1)
      fix(far, near, bits >> place & 1 == 1)
    }
  }

  /// The remainder of a division of polynomials over two elements.
  private static func remainder(of value: Int, by divisor: Int, _ degree: Int) -> Int {
    var rest = value
    while true {
      let width = Int.bitWidth - rest.leadingZeroBitCount
      guard width > degree else { return rest }
      rest ^= divisor << (width - degree - 1)
    }
  }

  // MARK: Data

  private mutating func draw(_ bytes: [UInt8]) {
    var bit = 0
    var right = size - 1
    while right > 0 {
      // The column of the timing pattern is passed over.
      if right == 6 { right = 5 }
      let isUpward = (right + 1) & 2 == 0
      for step in 0..<size {
        let y = isUpward ? size - 1 - step : step
        for x in [right, right - 1] where !isFixed[y * size + x] && bit < bytes.count * 8 {
          isDark[y * size + x] = bytes[bit / 8] >> (7 - bit % 8) & 1 == 1
          bit += 1
        }
      }
      right -= 2
    }
  }

  private mutating func choose(_ wanted: Int?) {
    if let wanted {
      self = masked(by: wanted & 7)
      return
    }
    let candidates = (0...7).map { masked(by: $0) }
    let penalties = candidates.map { QRPenalty($0).value }
    // The first of the best.
    let best = penalties.indices.min { penalties[$0] < penalties[$1] }
    self = candidates[best ?? 0]
  }

  /// The code with a mask over the codewords.
  private func masked(by mask: Int) -> QRCode {
    var code = self
    code.mask = mask
    code.drawFormat()
    var place = 0
    for y in 0..<size {
      for x in 0..<size {
        if !isFixed[place], Self.inverts(mask, x, y) { code.isDark[place].toggle() }
        place += 1
      }
    }
    return code
  }

  private static func inverts(_ mask: Int, _ x: Int, _ y: Int) -> Bool {
    switch mask {
    case 0: (x + y) % 2 == 0
    case 1: y % 2 == 0
    case 2: x % 3 == 0
    case 3: (x + y) % 3 == 0
    case 4: (x / 3 + y / 2) % 2 == 0
    case 5: x * y % 2 + x * y % 3 == 0
    case 6: (x * y % 2 + x * y % 3) % 2 == 0
    default: ((x + y) % 2 + x * y % 3) % 2 == 0
    }
  }

  // MARK: The picture

  /// The picture, dark on white on every ground, with the white border of four modules that readers need.
  ///
  /// - Parameter label: A text for whoever does not see it.
  /// - Returns: An SVG element.
  package func svg(label: String) -> String {
    var path = ""
    for y in 0..<size {
      var x = 0
      while x < size {
        let start = x
        while x < size, isDark(x, y) { x += 1 }
        if x > start { path += "M\(start + 4) \(y + 4)h\(x - start)v1h-\(x - start)z" }
        x += 1
      }
    }
    let width = size + 8
    return
      "<svg class=\"qr\" xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 \(width) \(width)\" role=\"img\""
      + " aria-label=\"\(SVG.escaped(label))\" shape-rendering=\"crispEdges\">"
      + "<path fill=\"#fff\" d=\"M0 0h\(width)v\(width)h-\(width)z\"/><path fill=\"#000\" d=\"\(path)\"/></svg>"
  }
}
