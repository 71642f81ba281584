import Daybook
import DaybookStore
import Pictures

/// The terminal display of a replay: the current comb, what happened last, and the progress.
struct ReplayScreen {
  let answer: ReplayAnswer
  let palette: Palette
  let times: LocalTimes

  private static let bandHeight = 8
  private static var isNarrow: Bool { Output.screen.columnCount ?? 80 < 60 }

  /// The lines of the display, cut to the width and height of the screen.
  ///
  /// - Parameters:
  ///   - player: The state of the replay.
  ///   - cells: The current cells.
  ///   - height: The number of rows available.
  /// - Returns: The lines.
  func lines(_ player: ReplayPlayer, _ cells: [HabitReplay.Cell], height: Int) -> [String] {
    let heatmap = answer.heatmap(after: player.place, cells)
    let comb = YearComb(heatmap: heatmap, palette: palette, showsAll: true)
    let foot = [caption(player.place), progress(player), Self.keys].map { fitted($0) }
    let room = max(0, height - foot.count - 1)
    let title = fitted(Style.bold(YearComb.title(of: heatmap)))
    let bands = shown(comb, heatmap, player.place, room / Self.bandHeight)
    let legend = comb.legend.map { fitted(Style.faint($0)) }
    var above = bands.isEmpty ? [] : [title] + bands
    if above.count + legend.count <= height - foot.count { above += legend }
    return (above.prefix(max(0, height - foot.count)) + foot).suffix(height)
  }

  /// The bands that fit: all of them, or the one with the current change and those before it.
  private func shown(
    _ comb: YearComb, _ heatmap: Heatmap, _ place: Int, _ count: Int
  ) -> [String] {
    let bands = comb.bandLines
    guard bands.count > count else { return bands.flatMap(\.self) }
    let step = place > 0 ? answer.replay.steps[place - 1] : nil
    let day = step?.changes.first?.heat.day ?? heatmap.today
    let end = max(min(comb.band(of: day) ?? bands.count - 1, bands.count - 1) + 1, count)
    return bands[(end - count)..<end].flatMap(\.self)
  }

  /// The time, what happened, and the streaks.
  private func caption(_ place: Int) -> String {
    let replay = answer.replay
    let moment = replay.moment(after: place)
    let words = place > 0 ? ReplayWords.happening(replay.steps[place - 1]) : "the beginning"
    return "\(times(moment.at))  streak \(moment.current), longest \(moment.longest)  \(words)"
  }

  private func progress(_ player: ReplayPlayer) -> String {
    let share = player.stepCount > 0 ? Double(player.place) / Double(player.stepCount) : 1
    let width = Self.isNarrow ? 10 : 20
    let length = Int((share * Double(width)).rounded())
    let bar =
      String(repeating: "█", count: length)
      + Style.faint(String(repeating: "░", count: width - length))
    let state = player.isPlaying ? "plays" : player.place == player.stepCount ? "the end" : "held"
    return "\(bar) step \(player.place) of \(player.stepCount), \(state)"
  }

  private static var keys: String {
    Style.faint(
      isNarrow
        ? "space ⏯  ←→ step  +- speed  q quit"
        : "space: pause, resume   → ←: a step   g G: start, end   + -: speed   q: quit")
  }

  private func fitted(_ line: String) -> String {
    line.wrapped(to: Output.screen.columnCount ?? 80).first ?? ""
  }
}

/// Describes a step of a replay in words.
enum ReplayWords {
  /// The largest number of days named in a step.
  private static let namedDays = 3

  /// What happened: the entries, or the beginning of a day.
  static func happening(_ step: HabitReplay.Step) -> String {
    guard let first = step.entries.first else { return "a day begins" }
    let source = first.event.source.map { " from \($0.rawValue)" } ?? ""
    let more = step.entries.count - 1
    return "#\(first.position) \(first.event.name)\(source)"
      + (more > 0 ? " and \(more.counted("more entry", "more entries"))" : "")
  }

  /// The days that changed, without a day that merely began.
  static func changes(_ step: HabitReplay.Step) -> String {
    let changes = step.changes.filter { cell in
      !step.entries.isEmpty || cell.heat.day < step.moment.today
    }
    let named = changes.prefix(namedDays).map { cell in
      "\(cell.heat.day) \(cell.mark?.rawValue ?? "unknown")"
    }
    let more = changes.count - named.count
    return (named + (more > 0 ? ["\(more.counted("more day"))"] : [])).joined(separator: ", ")
  }
}
