/// How much a masked QR code looks like what a reader may mistake (ISO/IEC 18004, section 7.8.3).
struct QRPenalty {
  let value: Int

  init(_ code: QRCode) {
    let size = code.size
    let rows = (0..<size).map { y in (0..<size).map { code.isDark($0, y) } }
    let columns = (0..<size).map { x in (0..<size).map { code.isDark(x, $0) } }
    var value = 0
    for line in rows + columns { value += Self.runs(line) + Self.finders(line) }
    for y in 1..<size {
      for x in 1..<size
      where rows[y][x] == rows[y][x - 1] && rows[y][x] == rows[y - 1][x]
        && rows[y][x] == rows[y - 1][x - 1]
      {
        value += 3
      }
    }
    let darkCount = rows.reduce(0) { $0 + $1.count { $0 } }
    // Ten for each step of five percent away from a half.
    value += abs(darkCount * 20 - size * size * 10) / (size * size) * 10
    self.value = value
  }

  /// Runs of five or more modules of one colour.
  private static func runs(_ line: [Bool]) -> Int {
    var (value, start) = (0, 0)
    for place in 1...line.count where place == line.count || line[place] != line[start] {
      if place - start >= 5 { value += place - start - 2 }
      start = place
    }
    return value
  }

  private static let finder = [true, false, true, true, true, false, true]

  /// The middle of a finder with four light modules on a side.
  private static func finders(_ line: [Bool]) -> Int {
    var value = 0
    for start in 0...(line.count - 7) where line[start..<start + 7].elementsEqual(finder) {
      // Beyond the border it is light.
      let before = line[max(0, start - 4)..<start]
      let after = line[(start + 7)..<min(line.count, start + 11)]
      if !before.contains(true) { value += 40 }
      if !after.contains(true) { value += 40 }
    }
    return value
  }
}
