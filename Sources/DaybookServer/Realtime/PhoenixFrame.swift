import Avro

/// A message of Phoenix channels, in either of the two versions of its serialisation.
struct PhoenixFrame: Hashable, Sendable {
  /// The version of the serialisation.
  enum Version: Sendable {
    /// `vsn=1.0.0`: an object.
    case first
    /// `vsn=2.0.0`: an array of five.
    case second

    /// The version that a query names; the first by default.
    init(named name: String?) { self = name?.hasPrefix("2") == true ? .second : .first }
  }

  /// The reference of the join that opened the channel.
  var joinReference: String?
  /// The message's own reference; a reply repeats it.
  var reference: String?
  /// The channel.
  var topic: String
  /// The name of the event.
  var event: String
  var payload: JSON

  init(
    _ topic: String, _ event: String, _ payload: JSON = [:], reference: String? = nil,
    joinReference: String? = nil
  ) {
    self.topic = topic
    self.event = event
    self.payload = payload
    self.reference = reference
    self.joinReference = joinReference
  }

  /// Reads a message; `nil` for an invalid one.
  init?(_ text: [UInt8], _ version: Version) {
    guard let json = try? JSON(parsing: text) else { return nil }
    switch version {
    case .first:
      guard let topic = json["topic"]?.text, let event = json["event"]?.text else { return nil }
      self.init(
        topic, event, json["payload"] ?? [:], reference: Self.reference(json["ref"]),
        joinReference: Self.reference(json["join_ref"]))
    case .second:
      guard let parts = json.elements, parts.count == 5, let topic = parts[2].text,
        let event = parts[3].text
      else { return nil }
      self.init(
        topic, event, parts[4], reference: Self.reference(parts[1]),
        joinReference: Self.reference(parts[0]))
    }
  }

  /// A reference as a string; some clients count, and send numbers.
  private static func reference(_ json: JSON?) -> String? {
    switch json {
    case .string(let text): text
    case .number(let text): text
    default: nil
    }
  }

  /// The message as text. A message that is not a reply also has a `ref`, which is null, because some clients refuse
  /// one without.
  func encoded(_ version: Version) -> [UInt8] {
    var writer = JSONWriter()
    Self.write(
      to: &writer, version, joinReference: joinReference, reference: reference, topic, event
    ) { $0.value(payload) }
    return writer.bytes
  }

  /// Writes a message with a payload from a closure, so that a payload for many receivers is made
  /// once.
  static func write(
    to writer: inout JSONWriter, _ version: Version, joinReference: String?, reference: String?,
    _ topic: String, _ event: String, _ payload: (inout JSONWriter) -> Void
  ) {
    func write(_ text: String?, to writer: inout JSONWriter) {
      if let text { writer.string(text) } else { writer.null() }
    }
    switch version {
    case .first:
      writer.object { writer in
        writer.name("topic")
        writer.string(topic)
        writer.name("event")
        writer.string(event)
        writer.name("payload")
        payload(&writer)
        writer.name("ref")
        write(reference, to: &writer)
        if let joinReference {
          writer.name("join_ref")
          writer.string(joinReference)
        }
      }
    case .second:
      writer.array { writer in
        write(joinReference, to: &writer)
        write(reference, to: &writer)
        writer.string(topic)
        writer.string(event)
        payload(&writer)
      }
    }
  }

  func reply(_ status: String, _ response: JSON = [:]) -> PhoenixFrame {
    PhoenixFrame(
      topic, "phx_reply", ["status": .string(status), "response": response], reference: reference,
      joinReference: joinReference)
  }
}
