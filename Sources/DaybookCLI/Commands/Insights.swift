import ArgumentParser
import Daybook
import DaybookStore

struct ShowInsights: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "insights",
    abstract: "Your progress over all: completion, weekdays, months, streaks, and what is at risk.")

  @OptionGroup var read: ReadOptions
  @OptionGroup var drawn: PictureOptions

  func run() throws {
    let context = try read.context()
    let report = try context.ask(InsightsQuestion(), by: read.actor)
    let words = InsightWords(report.insights, report.message)
    guard try !drawn.write({ words.picture(drawn.theme) }) else { return }
    if read.json { return Output.answer(report) }
    guard report.insights.completion.due > 0 else {
      return Output.line("Nothing has been due yet. \(report.message)")
    }
    Output.line(Style.bold(report.message) + "  " + words.completion)
    var chart = BarChart()
    for (label, completion) in words.weekdays + words.months {
      guard let share = completion.share else { continue }
      chart.add(label, share, completion.figures)
    }
    chart.print()
    for line in words.lines { Output.line(line) }
  }
}

/// Formats insights for people.
private struct InsightWords {
  private let insights: Insights
  private let message: String

  init(_ insights: Insights, _ message: String) {
    self.insights = insights
    self.message = message
  }

  /// "completion 71% (22/31)"
  var completion: String {
    "completion \(insights.completion.share?.percent ?? "–") (\(insights.completion.figures))"
  }

  var weekdays: [(label: String, completion: Completion)] {
    Array(zip(Day.weekdayNames, insights.weekdays)).map { ($0.0, $0.1) }
  }

  /// The last twelve months.
  var months: [(label: String, completion: Completion)] {
    insights.months.suffix(12).map { (String($0.start.description.prefix(7)), $0.completion) }
  }

  /// The streaks, and those at risk.
  var lines: [String] {
    var lines: [String] = []
    if let best = insights.best {
      lines.append(
        "Best streak: \(best.habit.description.name), \(best.length.counted("day")).")
    }
    lines += [
      list("Streaks", insights.current), list("At risk today", insights.habitsAtRisk),
    ].compactMap(\.self)
    return lines
      + insights.hivesAtRisk.map { card in
        "At risk today: the hive \(card.hive.title), \(card.ring), streak \(card.streak)."
      }
  }

  private func list(_ title: String, _ streaks: [Insights.HabitStreak]) -> String? {
    guard !streaks.isEmpty else { return nil }
    let items = streaks.prefix(8).map { "\($0.habit.description.name) \($0.length)" }
    return "\(title): \(items.joined(separator: ", "))."
  }

  func picture(_ theme: Picture.ColorTheme) -> Picture {
    func part(_ head: String, _ rows: [(label: String, completion: Completion)])
      -> BarPicture.BarGroup
    {
      BarPicture.BarGroup(
        head: head,
        bars: rows.map { ($0.label, $0.completion.share ?? 0, $0.completion.figures) })
    }
    return BarPicture(
      title: message,
      parts: [
        part("By weekday, \(completion)", weekdays), part("By month", months),
        BarPicture.BarGroup(head: "Streaks", notes: lines.isEmpty ? ["None yet."] : lines),
      ], theme: theme
    ).picture
  }
}

extension Completion {
  /// The number of days done out of those due: "22/31".
  var figures: String { "\(full)/\(due)" }
}
