/// The five colours of heat levels 0…4.
package enum Palette: String, CaseIterable, Sendable {
  /// Greys, honey and mint (HH-29).
  case honey
  /// Greens (DG-7).
  case digit

  /// The colour of a level, 0…4. On a dark background the greens are reversed, so that a met target stands
  /// out on both.
  package func color(_ level: Int, onDark isDark: Bool = false) -> RGB {
    let colors: [Int] =
      switch self {
      case .honey: [0xE5E5EA, 0xFFD166, 0xFFB841, 0xFF9F1C, 0x34C759]
      case .digit where isDark: [0xE9F6E2, 0x216E39, 0x44A340, 0x6CC644, 0xB6E3A1]
      case .digit: [0xE9F6E2, 0xB6E3A1, 0x6CC644, 0x44A340, 0x216E39]
      }
    return RGB(colors[min(max(level, 0), 4)])
  }
}
