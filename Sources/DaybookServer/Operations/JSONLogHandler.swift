import Avro
import Calendar
import DaybookStore
public import Logging

/// Writes log lines as JSON objects, one per line, to standard error.
///
/// Lines are written in batches, about a tenth of a second later; warnings and errors are written at once.
public struct JSONLogHandler: LogHandler {
  /// The metadata of every line.
  public var metadata: Logger.Metadata = [:]
  /// The lowest level that is written.
  public var logLevel: Logger.Level = .info
  private let label: String

  /// Makes a handler of a logger's name.
  public init(_ label: String) { self.label = label }

  /// The metadata of every line under a key.
  public subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  /// Writes a line.
  public func log(event: LogEvent) {
    var writer = JSONWriter()
    writer.object { writer in
      writer.name("at")
      writer.string(BookClock.system.now().description)
      writer.name("level")
      writer.string(event.level.rawValue)
      writer.name("logger")
      writer.string(label)
      writer.name("message")
      writer.string(event.message.description)
      var all = event.metadata ?? [:]
      for (name, value) in metadata where all[name] == nil { all[name] = value }
      all["hb.request.id"] = nil
      for (name, value) in all.sorted(by: { $0.key < $1.key }) {
        writer.name(name)
        writer.string(value.description)
      }
    }
    LineBuffer.standardError.add(writer.bytes, isUrgent: event.level >= .warning)
  }

  /// Writes all pending lines; call it before a program ends.
  public static func flush() { LineBuffer.standardError.flush() }
}
