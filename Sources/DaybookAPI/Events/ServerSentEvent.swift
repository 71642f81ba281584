import Avro

/// The text form of a stream of events (WHATWG HTML, section 9.2).
enum ServerSentEvent {
  /// Sets how long a client waits before it reconnects, in milliseconds; a stream begins with it.
  static let beginning = Array("retry: 3000\n\n".utf8)
  /// A comment that shows both sides that the other is still there.
  static let heartbeat = Array(": heartbeat\n\n".utf8)

  /// Writes an entry with its position as the event's id, from which a client resumes.
  static func write(_ line: JSON, of name: String, at position: Int64, to bytes: inout [UInt8]) {
    // This JSON is one line: it contains no line ends.
    bytes += Array("id: \(position)\nevent: \(name)\ndata: ".utf8)
    bytes += Array(line.encoded.utf8)
    bytes += Array("\n\n".utf8)
  }
}
