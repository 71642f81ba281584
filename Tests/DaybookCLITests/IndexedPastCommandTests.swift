import Foundation
import Testing

/// Commands about one habit of a past moment read only that account's habits where a segment is indexed; the answers are
/// those of the whole past.
@Suite(.tags(.program)) struct IndexedPastCommandTests {
  /// Ada's book with a sealed segment: habits renamed, deleted, archived and created later, a goal's habit, and Bob's
  /// habit and hive.
  private func book() throws -> Program {
    let daybook = try AdasBook().daybook
    func run(_ line: String, at: String) throws {
      let words = line.split(separator: " ").map(String.init) + ["--at", "2026-03-\(at):00Z"]
      let run = try daybook.run(words)
      #expect(run.status == 0, "\(line): \(run.error)")
    }
    try daybook(
      "apply",
      input: """
        {"do":"create_account","display_name":"Bob","timezone":"Europe/Berlin","at":"2026-03-01T09:00:00Z"}

        """)
    try run("habits add Run --as Ada", at: "02T08:00")
    try run("habits add Reach --as Ada", at: "02T08:01")
    try run("habits add Swim --as Bob", at: "02T08:02")
    try run("log Read --as Ada", at: "02T20:00")
    try run("log Swim --as Bob", at: "02T20:01")
    try run("habits rename Run Jog --as Ada", at: "03T08:00")
    try run("log Jog --as Ada", at: "03T20:00")
    try run("habits archive Reach --as Ada", at: "04T08:00")
    try run("habits delete Jog --yes --as Ada", at: "05T08:00")
    try run("hives add Readers --as Bob", at: "05T09:00")
    try run("habits add Rest --as Ada", at: "06T08:00")
    #expect(try daybook("seal").status == 0)
    return daybook
  }

  @Test func `answers are the same with and without indexes (ES-3, ES-4)`() throws {
    let daybook = try book()
    let names = [
      "Read", "Run", "Jog", "Re", "Reach", "Rest", "Swim", "Readers", "Nothing", AdasBook.read,
      "00000000-0000-4000-8000-0000000000ff",
    ]
    var commands: [[String]] = []
    for name in names {
      for command in ["audit", "heatmap", "history"] {
        for person in ["Ada", "Bob", "A"] { commands.append([command, name, "--as", person]) }
      }
    }
    commands.append(["history", "Read"])
    commands.append(["audit", "Read", "--as", "Ada", "--then-and-now", "--json"])
    var lines: [[String]] = []
    for moment in ["2026-03-02T21:00:00Z", "2026-03-04T12:00:00Z"] {
      for command in commands { lines.append(command + ["--as-of", moment]) }
    }
    func answers() throws -> [String] {
      try lines.map { line in
        let run = try daybook.run(line)
        return "\(line) \(run.status) \(run.output) \(run.error)"
      }
    }
    let indexed = try answers()
    let journal = URL(fileURLWithPath: daybook.path("my.daybook/journal"))
    let indexes = try FileManager.default.contentsOfDirectory(
      at: journal, includingPropertiesForKeys: nil
    ).filter { $0.pathExtension == "index" }
    #expect(!indexes.isEmpty)
    for index in indexes { try FileManager.default.removeItem(at: index) }
    for (one, other) in zip(indexed, try answers()) { #expect(one == other) }
  }
}
