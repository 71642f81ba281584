import ArgumentParser
import Daybook
import DaybookStore
import Pictures

struct ReplayHabit: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "replay",
    abstract: "How the comb of a habit came to be, step by step.",
    discussion: """
      On a terminal it plays: space pauses and resumes, → and ← go a step, g and G go to the \
      start and the end, + and - make it faster and slower, q quits. Elsewhere, and with \
      --no-motion, the steps are listed. `heatmap HABIT --from TIME --to TIME \
      --svg FILE` makes a moving picture of it.
      """)

  @OptionGroup var options: BookOptions
  @OptionGroup var screen: ScreenOptions
  @OptionGroup var actor: ActorOptions
  @OptionGroup var rule: ReplayRuleOptions
  @OptionGroup var span: ReplayOptions

  @Argument(help: "The habit: a prefix of its name, or its key.", completion: Completions.habits)
  var habit: String

  @Option(
    help:
      "The calendar year to show (default: the last twelve months, and other days that changed)."
  )
  var year: Int?

  @Option(help: "The colours: honey or digit.")
  var palette: Palette = .honey

  @Option(help: "How many steps a second, 0.25 to 64 (default: all of it in half a minute).")
  var speed: Double?

  @Flag(help: "Begin paused: nothing moves until a key is pressed.")
  var paused = false

  @Flag(help: "Do not play; list the steps.")
  var noMotion = false

  func run() throws {
    try ShowHeatmap.check(year)
    if let speed, !ReplayPlayer.speeds.contains(speed) {
      throw ValidationError("--speed: give 0.25 to 64")
    }
    let context = try QueryContext(options, actor, rule.time)
    let (number, found) = try context.habit(habit)
    let answer = try context.ask(span.question(number, year: year, context))
    if options.json { return Output.answer(answer) }
    let times = context.times(of: found.owner)
    let isMoving = !noMotion && answer.replay.steps.count > 0 && RawTerminal.isThere
    let place = isMoving ? play(answer, times) : nil
    guard let place else { return Self.print(answer, times) }
    // The last view stays on screen.
    YearComb(heatmap: answer.heatmap(after: place), palette: palette).print()
    let moment = answer.replay.moment(after: place)
    Output.line(
      "As it was known at \(times(moment.at)): current \(moment.current), longest \(moment.longest)."
    )
  }

  // MARK: Playing

  /// Plays the replay until the user quits.
  ///
  /// - Returns: The number of steps shown then, or `nil` if no terminal is available.
  private func play(_ answer: ReplayAnswer, _ times: LocalTimes) -> Int? {
    let replay = answer.replay
    var player = ReplayPlayer(stepCount: replay.steps.count, isPlaying: !paused, speed: speed)
    let view = ReplayScreen(answer: answer, palette: palette, times: times)
    // Ctrl-C is a normal way to quit.
    Interruption.expect()
    return Interruption.undoing({ _ in RawTerminal.leave() }) {
      guard RawTerminal.enter() else { return nil }
      defer { RawTerminal.leave() }
      var keys = KeyReader()
      var (cells, place) = (replay.cells, 0)
      var next = ContinuousClock.now + .milliseconds(player.stepMilliseconds)
      while true {
        if player.place == place + 1 {
          replay.apply(replay.steps[place], into: &cells)
        } else if player.place != place {
          cells = replay.cells(after: player.place)
        }
        place = player.place
        Output.screen = TerminalScreen(
          width: screen.width, coloring: screen.coloring, isPaged: false)
        draw(view.lines(player, cells, height: Output.screen.height ?? 24))
        let wait = player.isPlaying ? next - .now : .milliseconds(500)
        guard !Output.isClosed,
          let bytes = RawTerminal.keys(within: max(0, Int(wait / .milliseconds(1))))
        else { return place }
        for key in keys.keys(bytes) where !player.handle(key) { return place }
        guard player.isPlaying, ContinuousClock.now >= next || bytes.isEmpty else { continue }
        player.advance()
        next = .now + .milliseconds(player.stepMilliseconds)
      }
    }
  }

  /// Replaces the previous lines.
  private func draw(_ lines: [String]) {
    let text = lines.map { $0.withoutSteering + "\u{1B}[K" }.joined(separator: "\r\n")
    Output.text("\u{1B}[H\(text)\u{1B}[J")
    Output.flush()
  }

  // MARK: Listing

  /// Lists the steps, except those in which only a day began.
  private static func print(_ answer: ReplayAnswer, _ times: LocalTimes) {
    let replay = answer.replay
    var before = replay.beginning
    Output.line(
      Style.bold(
        "\(replay.habit.name) · as known from \(times(before.at)) to \(times(replay.end))"))
    var table = TextTable([
      .whole("at", 9), .text("what", 5), .text("days", 7), .number("current", 8),
      .number("longest", 4),
    ])
    table.add([
      times(before.at), "the beginning",
      replay.cells.count { $0.mark != nil }.counted("day") + " known",
      String(before.current), String(before.longest),
    ])
    var hiddenCount = 0
    for step in replay.steps {
      let isPlain =
        step.entries.isEmpty && step.changes.allSatisfy { $0.heat.day >= step.moment.today }
        && step.moment.current == before.current && step.moment.longest == before.longest
      before = step.moment
      if isPlain {
        hiddenCount += 1
        continue
      }
      table.add([
        times(step.moment.at), ReplayWords.happening(step), ReplayWords.changes(step),
        String(step.moment.current), String(step.moment.longest),
      ])
    }
    table.print()
    Output.line(
      Style.faint(
        "\(replay.steps.count.counted("step"))"
          + (hiddenCount > 0 ? "; \(hiddenCount.counted("beginning")) of a day left out" : "") + "."
      ))
  }
}

extension ReplayAnswer {
  /// The heatmap after a number of steps.
  func heatmap(after count: Int) -> Heatmap { heatmap(after: count, replay.cells(after: count)) }
}

/// The span of time to replay.
struct ReplayOptions: ParsableArguments {
  @Option(
    help: "Begin as the book knew it at this time: a day, from its start, or \(TimeArgument.help).")
  var from: String?

  @Option(help: "End as the book knew it at this time; a day up to its end (default: now).")
  var to: String?

  /// The question for the options.
  ///
  /// - Throws: `ValidationError` for an invalid time, or for an end before the beginning.
  func question(
    _ habit: Habit.ID, year: Int?, _ context: QueryContext
  ) throws -> ReplayQuestion {
    let owner = context.state.habits[habit]?.owner
    let clock =
      owner.flatMap { context.state.accounts[$0]?.dayClock }
      ?? DayClock(timeZone: "UTC", dayStartHour: 0)
    let start = try TimeArgument.spoken(from, "--from", .start, by: { clock })
    let end = try TimeArgument.spoken(to, "--to", .end, by: { clock }) ?? context.query.asOf
    if let start, start > end { throw ValidationError("--to (\(end)) is before --from (\(start))") }
    return ReplayQuestion(habit, from: start, to: end, year: year)
  }
}

/// The rule that judges the days of a replay; `--from` and `--to` give the time.
struct ReplayRuleOptions: ParsableArguments {
  @Option(
    name: .long, help: "The streak rule: a name of `daybook rules`, or a rule file.",
    completion: .file(extensions: ["json"]))
  var rule: String = StreakRule.daybook.id

  /// The time options for a view from now.
  var time: TimeOptions {
    var time = TimeOptions()
    // Options that were never parsed must be set before they are read.
    (time.asOf, time.on, time.rule) = (nil, nil, rule)
    return time
  }
}
