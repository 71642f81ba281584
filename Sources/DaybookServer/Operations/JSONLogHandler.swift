import Avro
import Foundation
import Logging

/// Writes log lines as JSON objects, one a line, to standard error.
struct JSONLogHandler: LogHandler {
  var metadata: Logger.Metadata = [:]
  var logLevel: Logger.Level = .info
  private let label: String

  /// Makes a handler of a logger's name.
  init(_ label: String) { self.label = label }

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) {
    var writer = JSONWriter()
    writer.object { writer in
      writer.name("at")
      writer.string(Date().formatted(.iso8601.dateTimeSeparator(.standard).time(includingFractionalSeconds: true)))
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
