import Avro
import Calendar
import DaybookStore
import Foundation
public import Logging

/// Writes log lines as JSON objects, one a line, to standard error.
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
      let all = metadata.merging(event.metadata ?? [:]) { _, own in own }
      for (name, value) in all.sorted(by: { $0.key < $1.key }) where name != "hb.request.id" {
        writer.name(name)
        writer.string(value.description)
      }
    }
    FileHandle.standardError.write(Data(writer.bytes + [UInt8(ascii: "\n")]))
  }
}
