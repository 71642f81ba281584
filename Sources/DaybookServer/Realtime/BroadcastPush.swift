import Avro

/// A broadcast as the second version of the serialisation writes it in bytes: its kind, how long the join's reference,
/// the own one, the topic, the event and what is said of it are, how its payload is written; then these, and the payload.
struct BroadcastPush {
  /// The message as it would be in text; the payload is nothing where that is bytes, too.
  let frame: PhoenixFrame
  /// Whether the payload is JSON: bytes are not taken.
  let isJSON: Bool

  private static let kind: UInt8 = 3
  private static let headByteCount = 7

  /// Reads a message; nothing when it is none.
  init?(_ bytes: [UInt8]) {
    guard bytes.count >= Self.headByteCount, bytes[0] == Self.kind else { return nil }
    var rest = bytes.dropFirst(Self.headByteCount)
    var texts: [String] = []
    for count in bytes[1..<6] {
      guard rest.count >= Int(count),
        let text = String(validating: rest.prefix(Int(count)), as: UTF8.self)
      else { return nil }
      texts.append(text)
      rest = rest.dropFirst(Int(count))
    }
    switch bytes[6] {
    case 0: isJSON = false
    case 1: isJSON = true
    default: return nil
    }
    var payload: [JSON.Member] = [
      .init("type", "broadcast"), .init("event", .string(texts[3])),
    ]
    if isJSON {
      guard let json = try? JSON(parsing: Array(rest)) else { return nil }
      payload.append(.init("payload", json))
    }
    frame = PhoenixFrame(
      texts[2], "broadcast", .object(payload), reference: texts[1].isEmpty ? nil : texts[1],
      joinReference: texts[0].isEmpty ? nil : texts[0])
  }
}
