import Avro
import Calendar
import DaybookStore
public import Logging

/// Writes log lines as JSON objects, one a line, to standard error.
///
/// Lines are written some tenth of a second later, many at once, but those of warnings and of what is worse at once.
public struct JSONLogHandler: LogHandler {
  /// What every line says.
  public var metadata: Logger.Metadata = [:]
  /// From which level on lines are written.
  public var logLevel: Logger.Level = .info
  private let label: String

  /// Makes a handler of a logger's name.
  public init(_ label: String) { self.label = label }

  /// What every line says under a name.
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

  /// Writes what is not written yet: to be called before a program ends.
  public static func flush() { LineBuffer.standardError.flush() }
}
