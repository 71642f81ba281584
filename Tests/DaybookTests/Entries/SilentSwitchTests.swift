import Foundation
import Testing

@testable import Daybook

/// A switch over events names every one of them, so that the compiler shows where a new one needs a decision.
@Suite(.tags(.unit)) struct SilentSwitchTests {
  private static let touched =
    "few events touch a table, and SchemaLawTests compare all rows of random histories"

  /// The switches that ignore events in one `default:`, and why they may.
  private static let reasons = [
    "Daybook/Entries/Event+Contexts.swift: self":
      "made by a script, which names every event of the contexts that it groups",
    "Daybook/Entries/Event+Lists.swift: branch": "numbers without an event end in an error",
    "Daybook/Habits/StreakReplay.swift: entry.event":
      "the hot path; the state applies everything that is not a day of a habit",
    "Daybook/State/StateReplay.swift: entry.event":
      "the hot path; the state applies everything that is not a batched day",
    "Daybook/State/StateRollback.swift: event":
      "most events change their subject alone, and UndoTests compare whole states for the others",
    "Daybook/Views/Due/DueReplay.swift: entry.event":
      "after any other event everything is recomputed, which costs time and misses nothing",
    "Daybook/Views/Awards/Awards.swift: activity.kind":
      "kinds of activities, which have the names of events",
    "DaybookStore/Index/Roster.swift: event":
      "other events create no habit and no hive, and IndexedPastTests compare with the whole past",
    "DaybookStore/Questions/Household/GroceryItemQuestion.swift: entry.event":
      "other events are about no line of a list",
    "DaybookTables/Schemas/Accounts/ContactTable.swift: change.entry.event": touched,
    "DaybookTables/Schemas/Accounts/DeviceTable.swift: change.entry.event": touched,
    "DaybookTables/Schemas/Habits/HabitLogTable.swift: change.entry.event": touched,
    "DaybookTables/Schemas/Hives/ActivityTouch.swift: change.entry.event": touched,
    "DaybookTables/Schemas/Hives/HiveTable.swift: change.entry.event": touched,
    "DaybookTables/Schemas/Hives/HiveTable.swift: event": touched,
    "DaybookTables/Schemas/Household/GroceryItemTable.swift: change.entry.event": touched,
    "DaybookTables/Schemas/Household/HouseholdTables.swift: entry.event": touched,
  ]

  @Test func `no switch ignores events by default`() throws {
    let events = Set(try Event.types.indices.map { try Event.blank($0).caseName })
    let files = try SourceFile.all(below: "Sources")
    #expect(files.count > 100)
    var found: Set<String> = []
    for file in files {
      for subject in file.silentSwitches(over: events) {
        found.insert("\(file.path.dropFirst("Sources/".count)): \(subject)")
      }
    }
    for place in found.subtracting(Self.reasons.keys).sorted() {
      Issue.record(
        """
        \(place) switches over events with `default:`, so that a new event is passed over there in silence. Name \
        the cases that are meant (`byContext` has those of a context alone), or give the reason here.
        """)
    }
    for place in Set(Self.reasons.keys).subtracting(found).sorted() {
      Issue.record("\(place) passes over no events any more: take its reason off the list.")
    }
  }

  @Test func `a switch that ignores events is found, however its cases are written`() {
    func silent(_ text: String) -> [String] {
      SourceFile(path: "", lines: text.split(separator: "\n").map(String.init))
        .silentSwitches(over: ["habitLogged", "hiveJoined"])
    }
    let body = "  case .habitLogged(let event): use(event)\n"
    #expect(silent("  switch item.event {\n\(body)  default: break\n  }") == ["item.event"])
    #expect(silent("  switch event {\n\(body)  case .hiveJoined: break\n  }") == [])
    #expect(silent("  switch day {\n  case .first: 1\n  default: 2\n  }") == [])
    let wrapped = "  case .one,\n    .hives(.hiveJoined(let event)):\n    use(event)\n"
    #expect(silent("  return switch it {\n\(wrapped)  default:\n    2\n  }") == ["it"])
    #expect(silent("  switch event.dayEffect {\n  case .day: 1\n  default: 2\n  }").count == 1)
    let inner = "  case .hiveJoined:\n    switch day {\n    default: 1\n    }\n"
    #expect(silent("  switch event {\n\(inner)  case .habitLogged: 1\n  }") == [])
  }
}

extension Event {
  /// "habitLogged".
  fileprivate var caseName: String { String("\(self)".prefix { $0 != "(" }) }
}

extension SourceFile {
  /// The subjects of switches that name an event in one of their cases and have a default.
  func silentSwitches(over events: Set<String>) -> [String] {
    lines.indices.compactMap { index in
      let line = lines[index]
      guard line.hasSuffix(" {"), let word = line.range(of: "switch ") else { return nil }
      let subject = String(line[word.upperBound...].dropLast(2))
      let cases = caseLines(ofSwitchAt: index)
      guard cases.contains(where: { $0.hasPrefix("default:") }) else { return nil }
      let isOverEvents =
        cases.contains { !events.isDisjoint(with: $0.names) } || subject.contains("byContext")
        || subject.contains("dayEffect")
      return isOverEvents ? subject : nil
    }
  }

  /// The lines that name the cases of a switch, without their bodies.
  private func caseLines(ofSwitchAt index: Int) -> [Substring] {
    var found: [Substring] = []
    var isInCase = false
    let indent = lines[index].indent
    for line in lines[(index + 1)...] {
      let lineIndent = line.indent
      let words = line.dropFirst(lineIndent)
      if lineIndent <= indent, words.hasPrefix("}") { break }
      if lineIndent == indent, words.hasPrefix("case") || words.hasPrefix("default") {
        isInCase = true
      }
      guard isInCase else { continue }
      found.append(words)
      isInCase = !(words.hasSuffix(":") || words.contains(": "))
    }
    return found
  }
}

extension Substring {
  /// The words after its dots: "hives" and "hiveJoined" of ".hives(.hiveJoined(let event)):".
  fileprivate var names: [String] {
    split(separator: ".").map { part in String(part.prefix { $0.isLetter }) }
  }
}

extension String {
  fileprivate var indent: Int { utf8.prefix { $0 == UInt8(ascii: " ") }.count }
}
