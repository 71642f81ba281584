import ArgumentParser
import Avro
import Daybook
import DaybookStore
import Foundation
import Journal

struct ShowHeatmap: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "heatmap",
    abstract: "A year of a habit as a comb of hexagons.")

  @OptionGroup var options: BookOptions
  @OptionGroup var actor: ActorOptions
  @OptionGroup var time: TimeOptions

  @Argument(help: "The habit: a prefix of its name, or its key.", completion: Completions.habits)
  var habit: String

  @Option(help: "A calendar year (default: the last twelve months).")
  var year: Int?

  @Option(help: "Write the comb as an SVG picture to this file.", completion: .file())
  var svg: String?

  @Option(help: "The colours: honey or digit.")
  var palette: Palette = .honey

  mutating func run() throws {
    if let year, !(1...9999).contains(year) {
      throw ValidationError("--year: \(year) is not a year from 1 to 9999")
    }
    let context = try QueryContext(options, actor, time)
    let answer = try context.ask(HeatmapQuestion(try context.habit(habit).0, year: year))
    let comb = Self.comb(answer, palette: palette)
    if let svg { try Self.save(comb.svg, to: svg) }
    if options.json { return Output.answer(answer) }
    if let svg { return Output.line("The comb is in \(svg).") }
    Output.line(Style.bold(comb.title))
    for line in comb.lines() { Output.line(line) }
  }

  static func comb(_ heatmap: Heatmap, palette: Palette) -> YearComb {
    let cells = heatmap.cells
    let span = cells.first.map { "\($0.day) – \(cells.last?.day ?? $0.day)" } ?? ""
    return YearComb(
      title: "\(heatmap.habit.description.name) · \(span)", cells: cells, palette: palette)
  }

  /// Writes a file whole or not at all.
  private static func save(_ text: String, to path: String) throws {
    let storage = FileStorage()
    let file = try storage.open(path + ".new", .create)
    do {
      try file.write(Array(text.utf8), at: 0)
      try file.synchronize()
      try storage.rename(path + ".new", to: path)
    } catch {
      try? storage.remove(path + ".new")
      throw error
    }
  }
}
