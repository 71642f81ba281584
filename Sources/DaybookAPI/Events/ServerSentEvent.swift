import Avro

/// The text of a stream of events (WHATWG HTML, section 9.2).
enum ServerSentEvent {
  /// How long a client waits before it asks again, in milliseconds; the first thing that a stream says.
  static let beginning = Array("retry: 3000\n\n".utf8)
  /// A comment, which tells both sides that the other is still there.
  static let heartbeat = Array(": heartbeat\n\n".utf8)

  /// Writes an entry: its position is the event's id, from which a client goes on.
  static func write(_ line: JSON, of name: String, at position: Int64, to bytes: inout [UInt8]) {
    // JSON is one line here: no end of a line stands in it.
    bytes += Array("id: \(position)\nevent: \(name)\ndata: ".utf8)
    bytes += Array(line.encoded.utf8)
    bytes += Array("\n\n".utf8)
  }
}
