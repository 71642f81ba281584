import ArgumentParser
import Daybook
import DaybookStore
import Pictures

struct ShowHeatmap: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "heatmap",
    abstract: "A year of a habit as a comb of hexagons.",
    discussion: """
      With --from or --to, and --svg, the picture is animated: it shows how the comb grew, as \
      the book knew it from one time to the other. Readers who prefer reduced motion see only \
      its end. `replay` plays it in the terminal.
      """)

  @OptionGroup var read: ReadOptions
  @OptionGroup var span: ReplayOptions

  @Argument(help: "The habit: a prefix of its name, or its key.", completion: Completions.habits)
  var habit: String

  @Option(help: "A calendar year (default: the last twelve months).")
  var year: Int?

  @OptionGroup var drawn: PictureOptions

  @Option(help: "The colours: honey or digit.")
  var palette: Palette = .honey

  func run() throws {
    try Self.check(year)
    if span.from != nil || span.to != nil { return try move() }
    let context = try read.context(ofHabit: habit)
    let answer = try context.ask(HeatmapQuestion(try context.habit(habit).0, year: year))
    let isDrawn = try drawn.write {
      CombPicture(heatmap: answer, palette: palette, theme: drawn.theme).picture
    }
    guard !isDrawn else { return }
    if read.json { return Output.answer(answer) }
    YearComb(heatmap: answer, palette: palette).print()
  }

  /// Writes an animated picture.
  private func move() throws {
    guard read.time.asOf == nil, read.time.on == nil else {
      throw ValidationError("--from and --to already say as of when; leave out --as-of and --on")
    }
    guard drawn.svg != nil else {
      throw ValidationError(
        """
        --from and --to make an animated picture: name its file with --svg FILE; `daybook \
        replay` plays it in the terminal
        """)
    }
    let context = try read.context()
    let (number, _) = try context.habit(habit)
    let answer = try context.ask(span.question(number, year: year, context))
    _ = try drawn.write {
      AnimatedComb(answer: answer, palette: palette, theme: drawn.theme).picture
    }
    if read.json { Output.answer(answer) }
  }

  /// - Throws: `ValidationError` when it is not a year.
  static func check(_ year: Int?) throws {
    if let year, !(1...9999).contains(year) {
      throw ValidationError("--year: \(year) is not a year from 1 to 9999")
    }
  }
}
