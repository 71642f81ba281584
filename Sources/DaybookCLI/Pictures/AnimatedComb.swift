import Daybook
import DaybookStore
import Pictures

/// An animated picture of a comb's history that plays once and then rests. All cells change on one time
/// scale, and the streaks at each moment are shown below the title.
///
/// The static picture is the final comb: renderers without animation, printing, and viewers who prefer
/// reduced motion show that.
struct AnimatedComb {
  let answer: ReplayAnswer
  let palette: Palette
  let theme: Picture.ColorTheme

  /// The shortest state of a cell that is shown, in seconds.
  private static let shortest = 0.04
  /// The shortest time for which a line of text is shown, in seconds.
  private static let shortestLine = 0.1
  private static let left = 20.0

  private var replay: HabitReplay { answer.replay }

  /// The duration of the animation in seconds: a quarter for each step, 3 to 30.
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

  /// A text description of the animation, for accessibility.
  private func description(_ counts: [(shape: CombShape, count: Int)]) -> String {
    let parts = counts.map { "\($0.count) \($0.shape.meaning)" }
    return "How the comb came to be, as it was known from \(replay.beginning.at) to \(replay.end),"
      + " in \(replay.steps.count.counted("step")). At the end: "
      + (parts.isEmpty ? "nothing yet" : parts.joined(separator: ", ")) + "."
  }

  // MARK: Time

  /// The second of the animation that corresponds to an instant, to the hundredth.
  private func second(of instant: Instant) -> Double {
    let (start, end) = (replay.beginning.at.milliseconds, replay.end.milliseconds)
    guard end > start else { return 0 }
    let share = Double(instant.milliseconds - start) / Double(end - start)
    return (share * duration * 100).rounded() / 100
  }

  /// The successive shapes of each cell.
  private func shapes(_ final: Heatmap) -> [[TimeSpan<CombShape>]] {
    // A day that is unknown so far, but will be known, is in the future.
    func shape(_ cell: HabitReplay.Cell, at place: Int) -> CombShape? {
      CombShape(cell.mark?.sign(atLevel: cell.heat.level))
        ?? (final.marks[place] == nil ? CombShape(final, at: place) : .future)
    }
    var timelines = replay.cells.enumerated().map { place, cell in
      VisibleValues(shape(cell, at: place), shortest: Self.shortest)
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

  /// Draws the time bar, and the streaks at each moment.
  private func drawTime(_ picture: inout Picture) {
    let width = picture.width - 2 * Self.left
    for style in ["track", "time grow"] {
      picture.part(SVG.bar(style, at: (Self.left, 54), width: width, height: 3))
    }
    var timeline = VisibleValues<String>(words(replay.beginning), shortest: Self.shortestLine)
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

  /// CSS that shows and hides parts by time alone. Hovering pauses it.
  private static func motion(lasting seconds: Double) -> String {
    "@keyframes on{from,to{visibility:visible}}@keyframes in{from{visibility:hidden}}"
      + "@keyframes grow{from{transform:scaleX(0)}}"
      + ".t{visibility:hidden;animation:on 1s}.f{animation:in .01s backwards}"
      + ".grow{animation:grow \(SVG.length(seconds))s linear;transform-origin:\(SVG.length(left))px 0}"
      + "svg:hover *{animation-play-state:paused}"
      + "@media print,(prefers-reduced-motion:reduce){.t,.f,.grow{animation:none}}"
  }
}

/// A value and the seconds between which it is visible; without an end it stays.
private struct TimeSpan<Value> {
  var value: Value
  var start: Double
  var end: Double?

  var seen: Picture.VisibleTime {
    guard let end else { return start > 0 ? .from(start) : .always }
    return .during(start, end)
  }
}

/// The successive values visible in one place.
private struct VisibleValues<Value: Equatable> {
  private var turns: [(value: Value?, start: Double)]
  private let shortest: Double

  /// Starts with a value, or with nothing.
  init(_ value: Value?, shortest: Double) {
    turns = [(value, 0)]
    self.shortest = shortest
  }

  /// Changes the value at a second. A value that was visible too briefly is dropped.
  mutating func become(_ value: Value?, at second: Double) {
    if second - turns[turns.count - 1].start < shortest {
      turns[turns.count - 1].value = value
      if turns.count > 1, turns[turns.count - 2].value == value { turns.removeLast() }
    } else if turns[turns.count - 1].value != value {
      turns.append((value, second))
    }
  }

  /// The visible values, in order of time.
  var spans: [TimeSpan<Value>] {
    turns.indices.compactMap { place in
      let end = place + 1 < turns.count ? turns[place + 1].start : nil
      return turns[place].value.map { TimeSpan(value: $0, start: turns[place].start, end: end) }
    }
  }
}
