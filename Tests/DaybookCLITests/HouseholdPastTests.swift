import Avro
import Foundation
import Testing

/// A household's past is shown to its current members only (MC-11).
@Suite(.tags(.law)) struct HouseholdPastTests {
  private static let then = "2026-03-01T12:00:00Z"

  /// Ada's household with some entities of every kind. Cyd has left it since, and Bob has joined since; so has Dee,
  /// whose account is newer than the past in question.
  private func home() throws -> Program { try Program(with: Self.home.get()) }

  private static let home = Result {
    let daybook = try AdasBook().daybook
    func run(_ words: String, at: String, as actor: String = "Ada") throws {
      let run = try daybook.run(
        words.split(separator: " ").map(String.init) + ["--as", actor, "--at", at])
      try #require(run.status == 0, "\(words): \(run.error)")
    }
    func account(_ name: String, at: String) throws {
      let line =
        #"{"do":"create_account","display_name":"\#(name)","timezone":"Europe/London","at":"\#(at)"}"#
      try daybook("apply", input: line)
    }
    let (before, after) = ("2026-03-01T09:00:00Z", "2026-03-02T09:00:00Z")
    try account("Bob", at: before)
    try account("Cyd", at: before)
    for words in [
      "household create Nest", "household add Cyd", "chores add Bins --due 2026-03-03",
      "recipe add Soup --ingredient salt", "plan add Soup 2026-03-03",
      "groceries generate --week 2026-03-03", "pantry add salt",
    ] {
      try run(words, at: before)
    }
    try run("household leave", at: after, as: "Cyd")
    try account("Dee", at: after)
    try run("household add Bob", at: after)
    try run("household add Dee", at: after)
    return try daybook.files()
  }

  private static let questions = [
    "household", "household history", "chores", "recipes", "recipe Soup", "plan --week 2026-03-03",
    "groceries --week 2026-03-03", "pantry", "calendar --from 2026-03-03", "export --format ics",
    "export",
  ].map { $0.split(separator: " ").map(String.init) + ["--as-of", then] }

  @Test func `a former member sees nothing of the household's past (MC-11)`() throws {
    let daybook = try home()
    for words in Self.questions {
      let run = try daybook.run(words + ["--as", "Cyd"])
      for word in ["Nest", "Bins", "Soup", "salt", "Ada"] {
        #expect(!(run.output + run.error).contains(word), "\(words): \(run.output)\(run.error)")
      }
    }
  }

  @Test(arguments: ["Bob", "Dee"])
  func `a new member sees what members saw in the past (MC-11)`(name: String) throws {
    let daybook = try home()
    for words in Self.questions where words[0] != "export" || words[1] == "--format" {
      let own = try daybook.run(words + ["--as", "Ada"])
      let run = try daybook.run(words + ["--as", name])
      #expect(run.status == 0 && run.output == own.output, "\(words): \(run.error)")
    }
    let export = try daybook("export", "--as", name, "--as-of", Self.then)
    #expect(export.output.contains("Soup") && !export.output.contains("Read"))
    try Data(export.output.utf8).write(to: URL(fileURLWithPath: daybook.path("own.jsonl")))
    let tried = try daybook("import", "jsonl", "own.jsonl", "--book", "copy", "--dry-run")
    #expect(tried.status == 0 && tried.output.hasPrefix("Would import "))
    #expect(!FileManager.default.fileExists(atPath: daybook.path("copy")))
    let made = try daybook("import", "jsonl", "own.jsonl", "--book", "copy")
    #expect(made.status == 0)
    #expect("Would import " + made.output.dropFirst("Imported ".count) == tried.output)
    let refused = try daybook("import", "jsonl", "own.jsonl", "--book", "copy", "--dry-run")
    #expect(refused.status == 1, "it is not empty any more")
  }

  @Test func `an erased account sees nothing, even of a deleted household (MC-11)`()
    throws
  {
    let daybook = try home()
    let bob = try #require(
      try daybook("accounts", "--json").json().elements?
        .first { $0["display_name"] == "Bob" }?["id"]?.text)
    try daybook("household", "delete", "--as", "Ada")
    let before = try daybook.run(["recipes", "--as", bob, "--as-of", Self.then])
    #expect(before.output.contains("Soup"), "a member until the end sees it")
    try daybook("erase-account", "Bob", "--yes")
    for words in Self.questions {
      let run = try daybook.run(words + ["--as", bob])
      for word in ["Nest", "Bins", "Soup", "salt"] {
        #expect(!(run.output + run.error).contains(word), "\(words): \(run.output)\(run.error)")
      }
    }
  }
}
