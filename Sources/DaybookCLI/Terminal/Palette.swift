import ArgumentParser
import Daybook

/// The five colours of heat levels 0…4.
enum Palette: String, CaseIterable, ExpressibleByArgument {
  /// Greys, honey and mint (HH-29).
  case honey
  /// Greens (DG-7).
  case digit

  /// The colour of a level, 0…4.
  func color(_ level: Int) -> RGB {
    let colors: [Int] =
      switch self {
      case .honey: [0xE5E5EA, 0xFFD166, 0xFFB841, 0xFF9F1C, 0x34C759]
      case .digit: [0xE9F6E2, 0xB6E3A1, 0x6CC644, 0x44A340, 0x216E39]
      }
    return RGB(colors[min(max(level, 0), 4)])
  }
}

extension Mark {
  /// The mark as one character, with its colour.
  var symbol: String {
    switch self {
    case .full: Style.color(RGB(0x34C759))(Output.isTerminal ? "⬢" : "#")
    case .bonus: Style.color(RGB(0x5AC8FA))(Output.isTerminal ? "⬢" : "+")
    case .partial: Style.color(RGB(0xFFB841))(Output.isTerminal ? "⬣" : "%")
    case .missed: Style.color(RGB(0xFF6B6B))(Output.isTerminal ? "⬡" : "x")
    case .skipped: Style.faint(Output.isTerminal ? "↷" : "s")
    case .paused: Style.faint(Output.isTerminal ? "‖" : "p")
    case .off: Style.faint(Output.isTerminal ? "·" : ".")
    case .pending: Style.color(RGB(0xFFD166))(Output.isTerminal ? "⬡" : "o")
    }
  }
}
