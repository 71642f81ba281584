import ArgumentParser
import Avro
import Daybook
import DaybookStore
import Foundation
import Journal

struct Heatmap: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "A year of a habit as a comb of hexagons.")

  @OptionGroup var options: BookOptions
  @OptionGroup var actor: ActorOptions
  @OptionGroup var time: TimeOptions

  @Argument(help: "The habit: a prefix of its name, or its key.")
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
    let (_, habit) = try context.habit(habit)
    let cells = try Self.cells(habit, context, year: year)
    let comb = Self.comb(habit, cells, palette: palette)
    if let svg { try Self.save(comb.svg, to: svg) }
    if options.json {
      let answer: JSON = [
        "habit": .string(habit.key.description), "days": .array(cells.map(\.json)),
      ]
      return Output.line(answer.encoded)
    }
    if let svg { return Output.line("The comb is in \(svg).") }
    Output.line(Style.bold(comb.title))
    for line in comb.lines() { Output.line(line) }
  }

  /// The cells of a year, those after the day that is asked about left blank.
  static func cells(_ habit: Habit, _ context: QueryContext, year: Int?) throws -> [HeatCell] {
    var (history, day) = try context.state.history(of: habit, context.query)
    if context.query.on != nil {
      history.records.removeAll { $0.day > day }
      history.today = day
    }
    return history.heatmap(year: year)
  }

  static func comb(_ habit: Habit, _ cells: [HeatCell], palette: Palette) -> YearComb {
    let span = cells.first.map { "\($0.day) – \(cells.last?.day ?? $0.day)" } ?? ""
    return YearComb(title: "\(habit.description.name) · \(span)", cells: cells, palette: palette)
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
