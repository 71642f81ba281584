import Avro
import Foundation
import Testing

/// Proofs are written, copied and verified on the command line.
@Suite(.tags(.program)) struct ProofCommandTests {
  /// A book with Ada and Bee, each with a habit, in its own directory.
  private func book() throws -> (daybook: Program, head: String) {
    let daybook = try Program()
    let lines = """
      {"do":"create_account","key":"00000000-0000-4000-8000-00000000000a","display_name":"Ada","timezone":"UTC","at":"2026-03-01T08:00:00Z"}
      {"do":"create_account","key":"00000000-0000-4000-8000-00000000000b","display_name":"Bee","timezone":"UTC","at":"2026-03-01T08:00:01Z"}
      {"do":"create_habit","as":"00000000-0000-4000-8000-00000000000a","key":"00000000-0000-4000-8000-000000000001","name":"Read","at":"2026-03-01T08:01:00Z"}
      {"do":"create_habit","as":"00000000-0000-4000-8000-00000000000b","key":"00000000-0000-4000-8000-000000000002","name":"Swim","at":"2026-03-01T08:01:00Z"}
      {"do":"log_habit","as":"00000000-0000-4000-8000-00000000000a","habit":"00000000-0000-4000-8000-000000000001","at":"2026-03-01T21:00:00Z"}
      {"do":"log_habit","as":"00000000-0000-4000-8000-00000000000b","habit":"00000000-0000-4000-8000-000000000002","at":"2026-03-01T22:00:00Z"}
      {"do":"log_habit","as":"00000000-0000-4000-8000-00000000000a","habit":"00000000-0000-4000-8000-000000000001","at":"2026-03-02T21:00:00Z"}

      """
    try daybook("init")
    #expect(try daybook("apply", input: lines).status == 0)
    let head = try #require(try daybook("head").output.split(separator: " ").first)
    return (daybook, String(head))
  }

  @Test func `a proof is written, and verified without the book`() throws {
    let (daybook, head) = try book()
    let written = try daybook(
      "prove", "Read", "--as", "Ada", "--on", "2026-03-02", "--output", "read.proof")
    #expect(written.status == 0, "\(written.error)")
    #expect(written.output.contains("the streak is 2 and the longest 2, by the rule daybook"))
    #expect(written.lines.last == "Head: \(head)")
    try FileManager.default.removeItem(atPath: daybook.path("my.daybook"))
    let checked = try daybook("check-proof", "read.proof", "--head", head)
    #expect(checked.status == 0, "\(checked.error)")
    #expect(checked.lines.count == 5)
    #expect(checked.lines[1] == "Habit: 00000000-0000-4000-8000-000000000001")
    #expect(checked.lines[3] == "Head: \(head)")
    #expect(checked.lines[4].hasPrefix("4 entries are about the habit and its owner's account"))
    let json = try daybook("check-proof", "read.proof", "--json").json()
    #expect(json["proven"] == true && json["current"] == 2 && json["entries"] == 4)
  }

  @Test func `an altered proof, or one for another head, is refused with a sentence`() throws {
    let (daybook, head) = try book()
    try daybook("prove", "Read", "--as", "Ada", "--output", "read.proof")
    let other = try daybook(
      "check-proof", "read.proof", "--head", "7:" + String(repeating: "0", count: 64))
    #expect(other.status == 1)
    #expect(
      other.error.hasPrefix("read.proof proves nothing: it leads to the head \(head), not to"))
    let file = URL(fileURLWithPath: daybook.path("read.proof"))
    var bytes = try Data(contentsOf: file)
    bytes[bytes.count / 2] ^= 4
    try bytes.write(to: file)
    let changed = try daybook("check-proof", "read.proof")
    #expect(changed.status == 1)
    #expect(
      changed.error
        == "read.proof proves nothing: its checksum is wrong: it was changed or cut short.\n")
    #expect(try daybook("check-proof", "read.proof", "--head", "7").status == 2)
    #expect(try daybook("check-proof", "absent.proof").status == 1)
  }

  @Test func `a proof contains its custom rule, whose name must not be a shipped rule's`()
    throws
  {
    let (daybook, _) = try book()
    func rule(_ text: String) throws {
      try Data(text.utf8).write(to: URL(fileURLWithPath: daybook.path("rule.json")))
    }
    func prove() throws -> Program.Run {
      try daybook.run([
        "prove", "Read", "--as", "Ada", "--rule", "./rule.json", "--output", "read.proof",
      ])
    }
    for forged in [
      #"{"name":"daybook","version":1,"days":{"missed":"extends"}}"#,
      #"{"name":"daybook","version":2}"#, #"{"name":"strict"}"#,
    ] {
      try rule(forged)
      let refused = try prove()
      #expect(refused.status == 1, "\(forged)")
      #expect(refused.error.contains("is the name of a different rule that comes with Daybook"))
      #expect(!FileManager.default.fileExists(atPath: daybook.path("read.proof")))
    }
    try rule(#"{"name":"mine","days":{"missed":"extends"}}"#)
    #expect(try prove().status == 0)
    let told = try daybook("check-proof", "read.proof").output
    #expect(told.contains("The rule does not come with Daybook; it says: {\"name\":\"mine\""))
    #expect(told.contains(#""days":{"missed":"extends"}"#))
    let json = try daybook("check-proof", "read.proof", "--json").json()
    #expect(json["rule"]?["file"]?["days"]?["missed"] == "extends")
    try rule(try daybook("rules", "show", "gentle").output)
    #expect(try prove().status == 0, "a copy of a shipped rule is accepted under its name")
    #expect(try !daybook("check-proof", "read.proof").output.contains("does not come with"))
  }

  @Test func `proofs of another account's habit, a missing habit and a past state are refused`()
    throws
  {
    let (daybook, _) = try book()
    let others = try daybook("prove", "Swim", "--as", "Ada", "--output", "x.proof")
    #expect(others.status == 1)
    #expect(try daybook("prove", "Run", "--as", "Ada", "--output", "x.proof").status == 1)
    let past = try daybook(
      "prove", "Read", "--as", "Ada", "--as-of", "2026-03-01", "--output", "x.proof")
    #expect(past.status == 2)
    let future = try daybook(
      "prove", "Read", "--as", "Ada", "--on", "9999-12-31", "--output", "x.proof")
    #expect(future.status == 1 && future.error.hasPrefix("9999-12-31 has not come yet"))
    #expect(!FileManager.default.fileExists(atPath: daybook.path("x.proof")))
  }

  @Test func `a hive is proved to its members, and a name of both a habit and a hive is ambiguous`()
    throws
  {
    let (daybook, _) = try book()
    let begun = """
      {"do":"create_hive","as":"00000000-0000-4000-8000-00000000000a","key":"00000000-0000-4000-8000-00000000000f","name":"Readers","at":"2026-03-03T08:00:00Z"}
      {"do":"create_hive_invite","as":"00000000-0000-4000-8000-00000000000a","p_hive_id":"00000000-0000-4000-8000-00000000000f","code":"0123456789ab","at":"2026-03-03T08:00:00Z"}
      {"do":"join_hive_with_code","as":"00000000-0000-4000-8000-00000000000b","p_code":"0123456789ab","at":"2026-03-03T08:01:00Z"}
      {"do":"log_hive_today","as":"00000000-0000-4000-8000-00000000000a","p_hive_id":"00000000-0000-4000-8000-00000000000f","at":"2026-03-03T09:00:00Z"}
      {"do":"log_hive_today","as":"00000000-0000-4000-8000-00000000000b","p_hive_id":"00000000-0000-4000-8000-00000000000f","at":"2026-03-03T10:00:00Z"}
      {"do":"revoke_hive_invite","as":"00000000-0000-4000-8000-00000000000a","p_code":"0123456789ab","at":"2026-03-03T11:00:00Z"}
      {"do":"create_account","key":"00000000-0000-4000-8000-00000000000c","display_name":"Cid","timezone":"UTC","at":"2026-03-03T12:00:00Z"}

      """
    #expect(try daybook("apply", input: begun).status == 0)
    let head = try #require(try daybook("head").output.split(separator: " ").first)
    let written = try daybook(
      "prove", "Readers", "--as", "Bee", "--on", "2026-03-03", "--output", "hive.proof")
    #expect(written.status == 0, "\(written.error)")
    #expect(written.output.contains("the streak of the hive is 1 and the longest 1"))
    let checked = try daybook("check-proof", "hive.proof", "--head", String(head))
    #expect(checked.status == 0, "\(checked.error)")
    #expect(checked.lines[1] == "Hive: 00000000-0000-4000-8000-00000000000f")
    #expect(checked.lines[4].contains("about the hive and the accounts of its 2 members"))
    let json = try daybook("check-proof", "hive.proof", "--json").json()
    #expect(json["proven"] == true && json["current"] == 1 && json["members"] == 2)
    let stranger = try daybook("prove", "Readers", "--as", "Cid", "--output", "x.proof")
    #expect(stranger.status == 1)
    let rule = try daybook(
      "prove", "Readers", "--as", "Bee", "--rule", "strict", "--output", "x.proof")
    #expect(rule.status == 2 && rule.error.contains("a hive has a rule of its own"))
    #expect(
      try daybook("habits", "add", "Readers", "--as", "Ada", "--at", "2026-03-03T13:00:00Z").status
        == 0)
    let both = try daybook("prove", "Readers", "--as", "Ada", "--output", "x.proof")
    #expect(both.status == 1 && both.error.contains("Readers"), "\(both.error)")
    #expect(!FileManager.default.fileExists(atPath: daybook.path("x.proof")))
  }
}
