import ArgumentParser
import Avro
import Daybook
import DaybookStore
import Journal

struct Tail: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "tail",
    abstract: "Show every entry as it is recorded, until interrupted.",
    discussion: """
      First the entries that are there, from --from on, then each new one once it is recorded, by whatever \
      program. With --json each line is one of `daybook export`.
      """)

  @OptionGroup var options: BookOptions

  @Option(help: "The position of the first entry to show (default: the last ten entries).")
  var from: Int64?

  func run() async throws {
    if let from, from < 1 { throw ValidationError("--from: \(from) is less than 1") }
    let reader = options.reader
    Interruption.expect()
    var lines = EntryLines(knowing: try reader.state())
    let start = from ?? max(1, lines.state.position - 9)
    for try await batch in reader.tail(from: start).batches {
      for entry in batch {
        if options.json {
          Output.line(try lines.json(of: entry).encoded)
        } else {
          lines.note(entry)
          Output.line(Self.line(entry, lines.state))
        }
      }
      Output.flush()
      if Output.isClosed { return }
    }
  }

  /// An entry, for people.
  private static func line(_ entry: Entry, _ state: BookState) -> String {
    let event = entry.event
    let details: [String?] = [
      subject(event, state), event.day?.description, (event.entered ?? event.value)?.description,
      entry.head.actor.flatMap { state.accounts[$0] }.map { "by \($0.displayName)" },
      event.source.flatMap { $0 == .manual ? nil : "from \($0.rawValue)" },
      event.note.map { "“\($0.onOneLine)”" },
    ]
    return [
      pad(String(entry.head.position), -7), pad(entry.head.at.description, 20),
      pad(event.name, 20), details.compactMap(\.self).joined(separator: "  "),
    ].joined(separator: "  ")
  }

  /// The subject of the event, by its current name; an account is named as the actor.
  private static func subject(_ event: Event, _ state: BookState) -> String? {
    switch event.subject {
    case .new(.account, _, _): nil
    case .new(let kind, let key, _):
      state.table(of: kind).entityNumber(of: key)
        .flatMap { state.table(of: kind).entity($0)?.displayName }
    case .aggregate(let aggregate):
      aggregate.kind == .account
        ? Self.focus(event, state) : state.entity(aggregate)?.displayName
    }
  }

  private static func focus(_ event: Event, _ state: BookState) -> String? {
    guard case .focusChosen(let event) = event else { return nil }
    return event.habit.flatMap { state.habits[$0]?.description.name }
  }

  /// The text padded to a width: with trailing spaces, or with leading ones for a negative width.
  private static func pad(_ text: String, _ width: Int) -> String {
    let space = String(repeating: " ", count: max(0, abs(width) - text.count))
    return width < 0 ? space + text : text + space
  }
}
