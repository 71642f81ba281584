import Avro
import Testing

@testable import DaybookServer

@Suite(.tags(.unit)) struct PhoenixFrameTests {
  @Test(arguments: ["1.0.0", "2.0.0", nil])
  func `a message is read back as it was written, in both versions`(version: String?) throws {
    let version = PhoenixFrame.Version(named: version)
    let frame = PhoenixFrame(
      "realtime:tasks", "phx_join", ["config": ["a": [1, nil, "é\"\n"]]], reference: "3",
      joinReference: "1")
    #expect(PhoenixFrame(frame.encoded(version), version) == frame)
  }

  @Test func `a frame that is not a reply has a null reference`() throws {
    let frame = PhoenixFrame("t", "postgres_changes")
    let first = try JSON(parsing: frame.encoded(.first))
    #expect(first["ref"] == .some(.null))
    let second = try JSON(parsing: frame.encoded(.second))
    #expect(second.elements == [nil, nil, "t", "postgres_changes", [:]])
  }

  @Test func `a reply has the reference of its request`() {
    let asked = PhoenixFrame("phoenix", "heartbeat", [:], reference: "9")
    let reply = asked.reply("ok")
    #expect(reply.event == "phx_reply" && reply.reference == "9")
    #expect(reply.payload == ["status": "ok", "response": [:]])
  }

  @Test(arguments: [
    "", "[]", "{}", "[1,2,3,4]", #"["1","2","t"]"#, #"{"topic":1,"event":"e"}"#, "null",
    #"[null,null,{},"e",{}]"#, "\u{0}",
  ])
  func `a malformed message is not read`(text: String) {
    #expect(PhoenixFrame(Array(text.utf8), .first) == nil)
    #expect(PhoenixFrame(Array(text.utf8), .second) == nil)
  }

  @Test func `a numeric reference is kept as its digits`() throws {
    let frame = try #require(
      PhoenixFrame(Array(#"{"topic":"t","event":"e","payload":{},"ref":7}"#.utf8), .first))
    #expect(frame.reference == "7")
  }

  @Test func `a binary broadcast is read like a text one`() throws {
    let texts = ["1", "77", "realtime:räume", "píng", ""].map { Array($0.utf8) }
    let head = [3] + texts.map { UInt8($0.count) } + [1]
    let bytes = head + texts.joined() + Array(#"{"n":[1,null]}"#.utf8)
    let push = try #require(BroadcastPush(bytes))
    #expect(push.isJSON)
    #expect(
      push.frame
        == PhoenixFrame(
          "realtime:räume", "broadcast",
          ["type": "broadcast", "event": "píng", "payload": ["n": [1, nil]]], reference: "77",
          joinReference: "1"))
    // A frame cut anywhere is invalid, like one of another kind or encoding.
    for count in bytes.indices { #expect(BroadcastPush(Array(bytes.prefix(count))) == nil) }
    for (place, byte): (Int, UInt8) in [(0, 4), (6, 2), (3, 255)] {
      var broken = bytes
      broken[place] = byte
      #expect(BroadcastPush(broken) == nil)
    }
    var other = bytes
    other[6] = 0
    #expect(BroadcastPush(other)?.isJSON == false)
  }
}
