import Avro
import Foundation

@testable import Daybook

/// A Swift file of the package, for tests that compare the code with the documentation.
struct SourceFile {
  /// Its path below the package's directory.
  let path: String
  let lines: [String]

  /// The package's directory.
  static let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..")
    .standardizedFileURL

  init(path: String, lines: [String]) {
    self.path = path
    self.lines = lines
  }

  init(_ path: String) throws {
    self.path = path
    let bytes = [UInt8](try Data(contentsOf: Self.root.appending(path: path)))
    lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map {
      String(decoding: $0, as: UTF8.self)
    }
  }

  /// The Swift files below a directory, by path.
  static func all(below directory: String) throws -> [SourceFile] {
    let base = root.appending(path: directory)
    let names = try FileManager.default.subpathsOfDirectory(atPath: base.path)
    return try names.filter { $0.hasSuffix(".swift") }.sorted().map {
      try SourceFile("\(directory)/\($0)")
    }
  }
}

extension Event {
  /// The event of a number, its record blank.
  static func blank(_ branch: Int) throws -> Event {
    let bytes = types[branch].placeholder.encoded
    var reader = BinaryReader(bytes.span.bytes)
    return try Event(branch: Int32(branch), from: &reader)
  }
}
