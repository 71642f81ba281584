import Avro
import Journal
import Testing

@testable import DaybookReplica

@Suite(.tags(.damage)) struct LineFileTests {
  /// The bytes of a file with some lines.
  private func written(_ lines: [JSON]) throws -> [UInt8] {
    let storage = MemoryStorage()
    try storage.createDirectory("d")
    var file = try LineFile("f", in: "d", storage) { (_, _) throws(ReplicaError) in }
    for line in lines { try file.append(line) }
    var bytes: [UInt8] = []
    let found = try storage.open("d/f", .read)
    try found.read(found.byteCount(), at: 0, appendingTo: &bytes)
    return bytes
  }

  private func lines(of bytes: [UInt8]) throws -> [JSON] {
    let storage = MemoryStorage()
    try storage.createDirectory("d")
    try storage.open("d/f", .create).write(bytes, at: 0)
    var found: [JSON] = []
    _ = try LineFile("f", in: "d", storage) { (json, _) throws(ReplicaError) in found.append(json) }
    return found
  }

  static let three: [JSON] = [["a": 1], ["b": "line\nfeed"], ["c": [1, 2]]]

  @Test func `a file that is cut at any byte has the whole lines before the cut (DM-9)`() throws {
    let bytes = try written(Self.three)
    let ends = bytes.indices.filter { bytes[$0] == UInt8(ascii: "\n") }
    for count in 0...bytes.count {
      let whole = ends.count { $0 < count }
      #expect(try lines(of: Array(bytes[..<count])) == Array(Self.three[..<whole]))
    }
  }

  @Test func `a last line of which the first bytes are zeros is cut off (DM-9)`() throws {
    let bytes = try written(Self.three)
    let start = try written(Array(Self.three[..<2])).count
    for count in 1..<(bytes.count - start) {
      var torn = bytes
      for index in start..<(start + count) { torn[index] = 0 }
      #expect(try lines(of: torn) == Array(Self.three[..<2]))
    }
  }

  @Test func `a changed byte in an earlier line is damage, never another line (DM-9)`() throws {
    let bytes = try written(Self.three)
    let end = try written(Array(Self.three[..<2])).count
    for index in 0..<end {
      var changed = bytes
      changed[index] ^= 1
      #expect(throws: ReplicaError.self) { try lines(of: changed) }
    }
  }

  @Test func `the format of a line stays as it is`() throws {
    let line = try written([["settled": ["00000000-0000-4000-8000-000000000001"]]])
    #expect(
      String(decoding: line, as: UTF8.self)
        == #"{"settled":["00000000-0000-4000-8000-000000000001"],"check":"73e34b6771af3fcb"}"#
        + "\n")
  }
}
