import Daybook

/// The signs in which answers are drawn: one means one thing in all of them, with colours or without, and a tick `[x]`
/// alone has an x.
enum Sign: CaseIterable {
  /// Done, and what was asked for.
  case done
  /// Done, though nothing was asked for.
  case bonus
  /// Done in part; and how much of it, where that is drawn.
  case partial
  /// Less than a third of it, less than two thirds, and more.
  case firstThird, secondThird, lastThird
  /// Asked for, and not done; and what that broke.
  case missed
  case skipped
  case paused
  /// Nothing was asked for.
  case off
  /// The calendar left the day out: it never was.
  case leftOut
  /// Asked for, and still open.
  case open
  /// Not shared with others yet.
  case unshared

  /// As one column without colour: a sign on a terminal, a letter of ASCII elsewhere.
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

  /// In its colour.
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

  /// What it means, for a legend.
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

  /// The box of a list: ticked or not.
  static func box(_ isTicked: Bool) -> String { isTicked ? "[x]" : "[ ]" }
}

extension Mark {
  /// The sign of a day that is so marked.
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

  /// The mark as one column, with its colour.
  var symbol: String { sign.styled }
}

extension HiveVerdict {
  /// The verdict as one column, with its colour.
  var symbol: String {
    switch self {
    case .advanced: Sign.done.styled
    case .broken: Sign.missed.styled
    case .open: Sign.open.styled
    case .off: Sign.off.styled
    case .unshared: Sign.unshared.styled
    case .before: " "
    }
  }
}
