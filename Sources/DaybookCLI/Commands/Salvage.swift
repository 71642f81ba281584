import ArgumentParser
import Avro
import Daybook
import DaybookStore
import Journal

struct SalvageBook: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "salvage",
    abstract: "Copy everything that is whole in a damaged book into a new one.",
    discussion: """
      The damaged book stays as it is. The new one has an id of its own; its salvage.json lists \
      the lost entries, and in which bytes of which file they were. Entries about something \
      whose creation is lost are kept, under a placeholder such as "Lost habit 7".

      After a loss, the numbers of accounts, habits and goals that were created later are often \
      uncertain, so their entries go to a placeholder, too. If you know that the lost entries \
      created nothing but what later entries name, give --no-more-created, and everything keeps \
      its place.
      """)

  @OptionGroup var options: BookOptions

  @Argument(help: "The new book's directory, which must not exist yet.", completion: .directory)
  var directory: String

  @Flag(help: "The lost entries created nothing but what later entries name.")
  var noMoreCreated = false

  func run() throws {
    let reader = options.reader
    let saved = try ProgressBar.during("Reading") {
      try reader.salvage(to: directory, noMoreCreated: noMoreCreated, progress: $0)
    }
    if options.json { return Output.text(saved.text) }
    Output.line(
      "The new book \(directory) holds \(Int(saved.keptCount).counted("entry", "entries")) of the damaged one."
    )
    for loss in saved.losses { Output.line(loss.sentence) }
    if saved.losses.isEmpty { Output.line("No entry is lost.") }
    if let torn = saved.torn { Output.line("\(torn) They are left out.") }
    if saved.movedCount > 0 {
      Output.line(
        "\(saved.movedCount.counted("entry", "entries")) got a later time, because times never "
          + "decrease."
      )
    }
    for placeholder in saved.placeholders {
      Output.line(
        "\"\(placeholder.name)\" stands in for \(placeholder.kind) number \(placeholder.number) of the"
          + " damaged book\(saved.candidates(of: placeholder)).")
    }
    if let habit = saved.placeholders.first(where: { $0.kind == "habit" }) {
      Output.line(
        "`daybook habits rename \"\(habit.name)\" NAME --book \(directory)` gives a habit its name again."
      )
    }
    if saved.placeholders.contains(where: { !$0.candidates.isEmpty }) {
      Output.line(
        "If the lost entries created nothing but what later entries name, salvage again with "
          + "--no-more-created: then it is certain which is which."
      )
    }
    Output.line("All of this is in \(directory)/salvage.json too. Head: \(saved.head)")
    Output.line(
      "Next: `daybook verify --deep --book \(directory)`, then use it; keep the damaged book for now."
    )
  }
}

extension Salvage.Loss {
  /// "Lost: entries 3 to 5, recorded between … and …; in …."
  fileprivate var sentence: String {
    "Lost: \(entries)\(time); in \(damage.file) at byte \(damage.offset), \(damage.reason)."
  }

  private var entries: String {
    switch (damage.first, damage.last) {
    case (nil, _): "an unknown number of entries"
    case (let first?, nil): "an unknown number of the entries from \(first) on"
    case (let first?, let last?) where first == last: "entry \(first)"
    case (let first?, let last?): "entries \(first) to \(last)"
    }
  }

  private var time: String {
    switch (after, before) {
    case (let after?, let before?): ", recorded between \(after) and \(before)"
    case (let after?, nil): ", recorded at \(after) or later"
    case (nil, let before?): ", recorded until \(before)"
    case (nil, nil): ""
    }
  }
}

extension Salvage {
  /// ", perhaps "Run" or "Swim""
  fileprivate func candidates(of placeholder: Placeholder) -> String {
    let names = unnumbered.filter { placeholder.candidates.contains($0.key) }.map {
      "\"\($0.name)\""
    }
    return names.isEmpty ? "" : ", perhaps \(names.joined(separator: " or "))"
  }
}
