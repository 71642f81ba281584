import Avro

/// A broadcast in the binary form of the second serialisation: its kind; the lengths of the join's reference, its
/// own reference, the topic, the event and the metadata; the payload's encoding; then these fields, and the
/// payload.
struct BroadcastPush {
  /// The message as its text form would be; the payload is null if it is binary.
  let frame: PhoenixFrame
  /// Whether the payload is JSON; binary payloads are not accepted.
  let isJSON: Bool

  private static let kind: UInt8 = 3
  private static let headByteCount = 7

  /// Reads a message; `nil` for an invalid one.
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
