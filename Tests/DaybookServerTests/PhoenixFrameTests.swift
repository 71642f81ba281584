import Avro
import Testing

@testable import DaybookServer

@Suite struct PhoenixFrameTests {
  @Test(arguments: ["1.0.0", "2.0.0", nil])
  func `a message is read as it was written, in both versions`(version: String?) throws {
    let version = PhoenixFrame.Version(named: version)
    let frame = PhoenixFrame(
      "realtime:tasks", "phx_join", ["config": ["a": [1, nil, "é\"\n"]]], reference: "3",
      joinReference: "1")
    #expect(PhoenixFrame(frame.encoded(version), version) == frame)
  }

  @Test func `what is no reply has a reference that is null`() throws {
    let frame = PhoenixFrame("t", "postgres_changes")
    let first = try JSON(parsing: frame.encoded(.first))
    #expect(first["ref"] == .some(.null))
    let second = try JSON(parsing: frame.encoded(.second))
    #expect(second.elements == [nil, nil, "t", "postgres_changes", [:]])
  }

  @Test func `a reply has the reference of what it answers`() {
    let asked = PhoenixFrame("phoenix", "heartbeat", [:], reference: "9")
    let reply = asked.reply("ok")
    #expect(reply.event == "phx_reply" && reply.reference == "9")
    #expect(reply.payload == ["status": "ok", "response": [:]])
  }

  @Test(arguments: [
    "", "[]", "{}", "[1,2,3,4]", #"["1","2","t"]"#, #"{"topic":1,"event":"e"}"#, "null",
    #"[null,null,{},"e",{}]"#, "\u{0}",
  ])
  func `what is no message is none`(text: String) {
    #expect(PhoenixFrame(Array(text.utf8), .first) == nil)
    #expect(PhoenixFrame(Array(text.utf8), .second) == nil)
  }

  @Test func `a reference that is a number is taken as its digits`() throws {
    let frame = try #require(
      PhoenixFrame(Array(#"{"topic":"t","event":"e","payload":{},"ref":7}"#.utf8), .first))
    #expect(frame.reference == "7")
  }
}
