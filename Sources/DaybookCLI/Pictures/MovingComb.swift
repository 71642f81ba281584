import Daybook
import DaybookStore

/// How a comb came to be, as a picture that moves once and then rests: each cell changes when it did, all on one scale of
/// time, and below the title it is said how things stood.
///
/// What stands still is the comb at the end: shown by who draws no motion, on paper, and to who asks for less of it.
struct MovingComb {
  let answer: ReplayAnswer
  let palette: Palette
  let theme: Picture.Theme

  /// What lasts for less than this is passed over, in seconds.
  private static let shortest = 0.04
  /// As long a line of words stands at least.
  private static let shortestLine = 0.1
  private static let left = 20.0

  private var replay: HabitReplay { answer.replay }

  /// How long it moves, in seconds: a quarter for each step, 3 to 30.
  private var duration: Double { min(30, max(3, Double(replay.steps.count) / 4)) }

  var picture: Picture {
    let final = answer.heatmap(after: replay.steps.count, replay.cells(after: replay.steps.count))
    let grid = CombGrid(final.cells.map(\.day), top: 80)
    let counts = CombShape.counts(in: final)
    var picture = Picture(
      YearComb.title(of: final), description(counts), theme, width: max(480, grid.size.width))
    picture.rules = CombShape.rules(palette) + [(".time{fill:", "#C77700", "#FFD166")]
    picture.shapes = CombShape.definitions
    picture.motion = Self.motion(lasting: duration)
    drawTime(&picture)
    grid.drawHeads(&picture)
    for (place, spans) in shapes(final).enumerated() {
      let (x, y) = grid.place(place)
      for span in spans {
        let hint = span.end == nil ? span.value.hint(of: final.cells[place]) : nil
        picture.use(span.value.name, x: x, y: y, hint: hint, span.seen)
      }
    }
    grid.drawLegend(counts.map(\.shape), &picture)
    return picture
  }

  /// What moves, for who does not see it.
  private func description(_ counts: [(shape: CombShape, count: Int)]) -> String {
    let parts = counts.map { "\($0.count) \($0.shape.meaning)" }
    return "How the comb came to be, as it was known from \(replay.beginning.at) to \(replay.end),"
      + " in \(replay.steps.count.counted("step")). At the end: "
      + (parts.isEmpty ? "nothing yet" : parts.joined(separator: ", ")) + "."
  }

  // MARK: Time

  /// When something is seen that happened at an instant, in seconds, to the hundredth.
  private func second(of instant: Instant) -> Double {
    let (start, end) = (replay.beginning.at.milliseconds, replay.end.milliseconds)
    guard end > start else { return 0 }
    let share = Double(instant.milliseconds - start) / Double(end - start)
    return (share * duration * 100).rounded() / 100
  }

  /// The shapes of each cell, one after the other.
  private func shapes(_ final: Heatmap) -> [[Span<CombShape>]] {
    // What is not known yet, and will be, is to come.
    func shape(_ cell: HabitReplay.Cell, at place: Int) -> CombShape? {
      CombShape(cell.mark?.sign(atLevel: cell.heat.level))
        ?? (final.marks[place] == nil ? CombShape(final, at: place) : .future)
    }
    var timelines = replay.cells.enumerated().map { place, cell in
      Timeline(shape(cell, at: place), shortest: Self.shortest)
    }
    for step in replay.steps {
      let second = second(of: step.moment.at)
      for cell in step.changes {
        let place = replay.days.lowerBound.distance(to: cell.heat.day)
        timelines[place].become(shape(cell, at: place), at: second)
      }
    }
    return timelines.map(\.spans)
  }

  /// A line of time, and how things stood.
  private func drawTime(_ picture: inout Picture) {
    let width = picture.width - 2 * Self.left
    picture.bar(x: Self.left, y: 54, width: width, height: 3, "track")
    picture.bar(x: Self.left, y: 54, width: width, height: 3, "time grow")
    var timeline = Timeline<String>(words(replay.beginning), shortest: Self.shortestLine)
    for step in replay.steps {
      timeline.become(words(step.moment), at: second(of: step.moment.at))
    }
    for span in timeline.spans {
      picture.text(span.value, x: Self.left, y: 46, size: 11, span.seen)
    }
  }

  private func words(_ moment: HabitReplay.Moment) -> String {
    "\(moment.today) · current \(moment.current.counted(replay.rule.unit)),"
      + " longest \(moment.longest.counted(replay.rule.unit))"
  }

  /// Shows and hides by time alone. Pointing at it holds it.
  private static func motion(lasting seconds: Double) -> String {
    "@keyframes on{from,to{visibility:visible}}@keyframes in{from{visibility:hidden}}"
      + "@keyframes grow{from{transform:scaleX(0)}}"
      + ".t{visibility:hidden;animation:on 1s}.f{animation:in .01s backwards}"
      + ".grow{animation:grow \(Picture.length(seconds))s linear;transform-origin:\(Picture.length(left))px 0}"
      + "svg:hover *{animation-play-state:paused}"
      + "@media print,(prefers-reduced-motion:reduce){.t,.f,.grow{animation:none}}"
  }
}

/// What is seen from when until when, in seconds; without an end it stays.
private struct Span<Value> {
  var value: Value
  var start: Double
  var end: Double?

  var seen: Picture.Seen {
    guard let end else { return start > 0 ? .from(start) : .always }
    return .during(start, end)
  }
}

/// What is seen in one place, one thing after the other.
private struct Timeline<Value: Equatable> {
  private var turns: [(value: Value?, start: Double)]
  private let shortest: Double

  /// Begins with a thing, or with nothing.
  init(_ value: Value?, shortest: Double) {
    turns = [(value, 0)]
    self.shortest = shortest
  }

  /// From a second on it is another. What was seen too shortly is passed over.
  mutating func become(_ value: Value?, at second: Double) {
    if second - turns[turns.count - 1].start < shortest {
      turns[turns.count - 1].value = value
      if turns.count > 1, turns[turns.count - 2].value == value { turns.removeLast() }
    } else if turns[turns.count - 1].value != value {
      turns.append((value, second))
    }
  }

  /// What is seen, in the order of time.
  var spans: [Span<Value>] {
    turns.indices.compactMap { place in
      let end = place + 1 < turns.count ? turns[place + 1].start : nil
      return turns[place].value.map { Span(value: $0, start: turns[place].start, end: end) }
    }
  }
}
