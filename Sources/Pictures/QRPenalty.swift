/// How much a masked QR code looks like what a reader may mistake (ISO/IEC 18004, section 7.8.3).
struct QRPenalty {
  let value: Int

  init(_ code: QRCode) {
    let size = code.size
    var (value, darkCount) = (0, 0)
    for y in 0..<size {
      var (row, column) = (Line(), Line())
      var (left, aboveLeft) = (false, false)
      for x in 0..<size {
        let isDark = code.isDark(x, y)
        row.append(isDark)
        column.append(code.isDark(y, x))
        if isDark { darkCount += 1 }
        guard y > 0 else { continue }
        // A square of four modules of one colour.
        let above = code.isDark(x, y - 1)
        if x > 0, isDark == left, isDark == above, isDark == aboveLeft { value += 3 }
        (left, aboveLeft) = (isDark, above)
      }
      value += row.wholePenalty + column.wholePenalty
    }
    // Ten for each step of five percent away from a half.
    value += abs(darkCount * 20 - size * size * 10) / (size * size) * 10
    self.value = value
  }

  /// A row or a column, module by module.
  private struct Line {
    private var penalty = 0
    /// The colour of the last module, and how many of that colour stand before it.
    private var (isDark, runLength) = (false, 0)
    /// The last eleven modules, a bit each; beyond the border it is light.
    private var last = 0

    mutating func append(_ isDark: Bool) {
      runLength = isDark == self.isDark ? runLength + 1 : 1
      self.isDark = isDark
      // Three for a run of five, and one for each module more.
      if runLength >= 5 { penalty += runLength == 5 ? 3 : 1 }
      look(isDark)
    }

    /// Looks for the middle of a finder with four light modules on a side.
    private mutating func look(_ isDark: Bool) {
      last = (last << 1 | (isDark ? 1 : 0)) & 0x7FF
      if last == 0b0000_1011101 || last == 0b1011101_0000 { penalty += 40 }
    }

    /// The penalty of a line that is complete.
    var wholePenalty: Int {
      var line = self
      for _ in 0..<4 { line.look(false) }
      return line.penalty
    }
  }
}
