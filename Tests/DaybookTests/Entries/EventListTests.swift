import Testing

@testable import Daybook

/// The enum `Event` is the only table of events: every list of them follows from it.
@Suite(.tags(.unit)) struct EventListTests {
  private static let remedy = "run python3 Tests/Generated/generate_event_lists.py"

  @Test func `every case of Event is in the lists made from it, at its place`() throws {
    let table = try SourceFile("Sources/Daybook/Entries/Event.swift").lines.compactMap { line in
      line.firstMatch(of: /^ +(?:indirect )?case (\w+)\((\w+)\)$/).map {
        (name: String($0.1), record: String($0.2))
      }
    }
    #expect(!table.isEmpty)
    #expect(
      table.map(\.record) == Event.types.map { "\($0)" },
      "The lists of events are not those of the enum Event: \(Self.remedy)")
    for (branch, type) in Event.types.enumerated() where table.indices.contains(branch) {
      let event = try Event.blank(branch)
      #expect(event.content.branch == branch, "\(type) has another's number: \(Self.remedy)")
      #expect(Swift.type(of: event.content.record) == type, "\(type): \(Self.remedy)")
      #expect(
        "\(event)".hasPrefix(table[branch].name + "("), "\(type) is another case's: \(Self.remedy)")
    }
  }

  @Test func `the log of a habit has its fixed event number`() {
    #expect(Event.types[Int(HabitLogged.branch)] == HabitLogged.self)
  }
}
