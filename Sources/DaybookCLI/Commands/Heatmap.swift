import ArgumentParser
import Daybook
import DaybookStore

struct ShowHeatmap: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "heatmap",
    abstract: "A year of a habit as a comb of hexagons.")

  @OptionGroup var options: BookOptions
  @OptionGroup var screen: ScreenOptions
  @OptionGroup var actor: ActorOptions
  @OptionGroup var time: TimeOptions

  @Argument(help: "The habit: a prefix of its name, or its key.", completion: Completions.habits)
  var habit: String

  @Option(help: "A calendar year (default: the last twelve months).")
  var year: Int?

  @OptionGroup var drawn: PictureOptions

  @Option(help: "The colours: honey or digit.")
  var palette: Palette = .honey

  mutating func run() throws {
    if let year, !(1...9999).contains(year) {
      throw ValidationError("--year: \(year) is not a year from 1 to 9999")
    }
    let context = try QueryContext(options, actor, time)
    let answer = try context.ask(HeatmapQuestion(try context.habit(habit).0, year: year))
    let isDrawn = try drawn.write {
      CombPicture(heatmap: answer, palette: palette, theme: drawn.theme).picture
    }
    guard !isDrawn else { return }
    if options.json { return Output.answer(answer) }
    YearComb(heatmap: answer, palette: palette).write()
  }
}
