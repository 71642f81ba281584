import ArgumentParser
import Avro
import Daybook
import DaybookStore

struct Diff: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "diff",
    abstract: "Which rows were added, deleted or changed between two times, and by which entries.",
    discussion: """
      The rows are those of `dump`; changes that follow from the clock alone, such as hives' \
      streaks, are left out. With --as, only the rows that this person may see; otherwise the \
      rows of everybody about whom something was recorded in between.
      """)

  @OptionGroup var options: BookOptions
  @OptionGroup var screen: ScreenOptions
  @OptionGroup var actor: ActorOptions

  @Option(help: "As the book knew it at this time: a day, to its end, or \(TimeArgument.help).")
  var from: String

  @Option(help: "And as it knew it at this time; a day to its end (default: now).")
  var to: String?

  @Option(
    help: "Only the rows of this habit: a prefix of its name, or its key.",
    completion: Completions.habits)
  var habit: String?

  func run() throws {
    let context = try QueryContext(options, actor)
    let clock =
      context.account.flatMap { context.state.viewer($0)?.dayClock }
      ?? DayClock(timeZone: "UTC", dayStartHour: 0)
    guard let start = try TimeArgument.spoken(from, "--from", .end, by: { clock }) else { return }
    let end = try TimeArgument.spoken(to, "--to", .end, by: { clock })
    if let end, end < start { throw ValidationError("--to is before --from") }
    let number = try habit.map { try context.habit($0).0 }
    let list = try context.ask(DifferenceQuestion(from: start, to: end, habit: number))
    if options.json { return Output.answer(list) }
    guard !list.changes.isEmpty else { return Output.line("Nothing changed.") }
    print(list, context)
  }

  private func print(_ list: DifferenceList, _ context: QueryContext) {
    let times = context.times
    var start = list.changes.startIndex
    while start < list.changes.endIndex {
      let name = list.changes[start].table
      let end = list.changes[start...].firstIndex { $0.table != name } ?? list.changes.endIndex
      Output.line(Style.bold(name))
      var table = TextTable([
        .whole("", 9), .text("row", 9), .text("what", 8), .text("entries", 6),
      ])
      for change in list.changes[start..<end] {
        table.add([
          change.sign, change.title(in: list.state), change.words,
          Style.faint(change.entries.map { words($0, times) }.joined(separator: "; ")),
        ])
      }
      table.print(withHeader: false)
      start = end
    }
    let counts = ["came", "went", "changed"].map { word in
      "\(list.changes.count { $0.word == word }) \(word)"
    }
    Output.line(Style.faint("\(counts.joined(separator: ", "))."))
  }

  private func words(_ entry: Entry, _ times: LocalTimes) -> String {
    "#\(entry.head.position) \(entry.event.name) at \(times(entry.head.at))"
  }
}

extension RowDifference.Change {
  fileprivate var sign: String { before == nil ? "+" : after == nil ? "-" : "~" }

  /// The title by which a person recognises the row: a name, a day.
  fileprivate func title(in state: BookState) -> String {
    let row = after ?? before ?? .null
    let habit = row["habit_id"]?.text.flatMap { Key($0) }
      .flatMap { state.habits.number(of: $0) }.flatMap { state.habits[$0]?.description.name }
    let hive = row["hive_id"]?.text.flatMap { Key($0) }
      .flatMap { state.hives.number(of: $0) }.flatMap { state.hives[$0]?.description.name }
    let person = row["user_id"]?.text.flatMap { Key($0) }
      .flatMap { state.accounts.number(of: $0) }.flatMap { state.accounts[$0]?.displayName }
    let name = ["name", "title", "display_name", "recipe_title", "code"].lazy
      .compactMap { row[$0]?.text }.first { !$0.isEmpty }
    let day = ["log_date", "day", "since", "from", "date", "week_start", "slot"].lazy
      .compactMap { row[$0]?.text }.first
    let parts = [habit ?? hive ?? name, hive == nil ? nil : person, day].compactMap(\.self)
    return (parts.isEmpty ? row["id"]?.text ?? person ?? "" : parts.joined(separator: ", "))
      .onOneLine
  }

  /// The changed columns, or a summary of a row that was added or removed.
  fileprivate var words: String {
    guard before != nil, after != nil else {
      let row = after ?? before ?? .null
      if row["skipped"]?.encoded == "true" { return "skipped" }
      return (row["value"] ?? .null) == .null ? "" : "value \(row["value"]?.encoded ?? "")"
    }
    return changedColumns.filter { $0 != "updated_at" }.map { column in
      let (old, new) = (before?[column] ?? .null, after?[column] ?? .null)
      return "\(column) \(Self.shown(old)) → \(Self.shown(new))"
    }.joined(separator: ", ").onOneLine
  }

  private static func shown(_ value: JSON) -> String {
    let text = value.text ?? value.encoded
    return text.count > 40 ? text.prefix(37) + "…" : text
  }
}
