import Daybook
import Pictures

/// The symbols used in answers. Each has one meaning everywhere, with or without colours, and `x` occurs only
/// in a tick `[x]`.
enum Sign: CaseIterable {
  /// Done, and due.
  case done
  /// Done, but not due.
  case bonus
  /// Partly done; the next cases give the amount where it is drawn.
  case partial
  /// Less than one third, less than two thirds, or more.
  case firstThird, secondThird, lastThird
  /// Due, and not done; and what that broke.
  case missed
  case skipped
  case paused
  /// Not due.
  case off
  /// The calendar omitted the day: it never existed.
  case leftOut
  /// Due, and still open.
  case open
  /// Not yet shared with others.
  case unshared

  /// The symbol in one column without colour: a sign on a terminal, an ASCII character elsewhere.
  var text: String {
    let (sign, letter) =
      switch self {
      case .done: ("⬢", "#")
      case .bonus: ("✚", "+")
      case .partial: ("◐", "%")
      case .firstThird: ("◔", "1")
      case .secondThird: ("◑", "2")
      case .lastThird: ("◕", "3")
      case .missed: ("–", "-")
      case .skipped: ("↷", "s")
      case .paused: ("‖", "p")
      case .off: ("·", ".")
      case .leftOut: ("∅", "n")
      case .open: ("○", "o")
      case .unshared: ("~", "~")
      }
    return Output.screen.hasSigns ? sign : letter
  }

  /// The symbol in its colour.
  var styled: String {
    switch self {
    case .done: Style.color(RGB(0x34C759))(text)
    case .bonus: Style.color(RGB(0x5AC8FA))(text)
    case .partial, .firstThird, .secondThird, .lastThird: Style.color(RGB(0xFFB841))(text)
    case .missed: Style.color(RGB(0xFF6B6B))(text)
    case .open: Style.color(RGB(0xFFD166))(text)
    case .skipped, .paused, .off, .leftOut, .unshared: Style.faint(text)
    }
  }

  /// The meaning, for a legend.
  var meaning: String {
    switch self {
    case .done: "done"
    case .bonus: "done, though not due"
    case .partial: "in part"
    case .firstThird, .secondThird, .lastThird: "by thirds"
    case .missed: "missed"
    case .skipped: "skipped"
    case .paused: "paused"
    case .off: "not due"
    case .leftOut: "left out of the calendar"
    case .open: "open"
    case .unshared: "not shared"
    }
  }

  /// The checkbox of a list item.
  static func box(_ isTicked: Bool) -> String { isTicked ? "[x]" : "[ ]" }
}

extension Mark {
  /// The sign for a day with this mark.
  var sign: Sign {
    switch self {
    case .full: .done
    case .bonus: .bonus
    case .partial: .partial
    case .missed: .missed
    case .skipped: .skipped
    case .paused: .paused
    case .off: .off
    case .leftOut: .leftOut
    case .pending: .open
    }
  }

  /// The mark in one column, with its colour.
  var symbol: String { sign.styled }
}

extension HiveVerdict {
  /// The verdict in one column, with its colour.
  var symbol: String {
    switch self {
    case .advanced: Sign.done.styled
    case .broken: Sign.missed.styled
    case .open: Sign.open.styled
    case .off: Sign.off.styled
    case .unshared: Sign.unshared.styled
    case .before: " "
    case .leftOut: Sign.leftOut.styled
    }
  }
}
