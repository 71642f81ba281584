import Avro
import Daybook

/// What a line of commands was answered when it was carried out: all that it is told again needs.
struct KeptReceipt: Equatable, Sendable {
  /// The position of its first entry.
  var position: Int64
  /// How many entries it came to.
  var count: Int
  /// What the answer is about; nothing when it tells of nothing that could be taken from the one who asked.
  var aggregate: Aggregate?
  /// How much of that the actor saw right after the command.
  var visibility: Visibility
  /// The answer as JSON text.
  var answer: [UInt8]

  /// How many bytes a digest of it has.
  static let digestByteCount = 16

  /// Where the entries stand.
  var span: CommandSpan { CommandSpan(position: position, count: count) }

  /// Appends it to a block of its file.
  ///
  /// - Parameters:
  ///   - first: The position of the block's first receipt.
  ///   - digest: What binds it to its line and its entry (``AskedLine/digest(of:on:)``).
  ///   - writer: Takes it.
  func write(after first: Int64, _ digest: [UInt8], to writer: inout BinaryWriter) {
    writer.put(position &- first)
    writer.put(Int64(count))
    writer.put(aggregate?.code ?? 0)
    writer.put(Int64(visibility.rawValue))
    writer.put(raw: digest)
    writer.put(counted: answer)
  }

  /// Takes the next one of a block off the reader.
  ///
  /// - Throws: ``AvroError`` when none begins there.
  @_lifetime(reader: copy reader)
  static func take(
    after first: Int64, from reader: inout BinaryReader
  ) throws(AvroError) -> (receipt: KeptReceipt, digest: [UInt8]) {
    let position = first &+ (try reader.takeLong())
    let count = try reader.takeLong()
    let code = try reader.takeLong()
    let visibility = Visibility(rawValue: Int(truncatingIfNeeded: try reader.takeLong()))
    let digest = try reader.takeBytes(digestByteCount)
    let answer = try reader.takeBytes(try reader.takeLength())
    guard let visibility, 1...Int64(Int32.max) ~= count else { throw .invalidLength }
    let aggregate = code == 0 ? nil : Aggregate(code: code)
    guard code == 0 || aggregate.map({ $0.number > 0 }) == true else { throw .invalidLength }
    let receipt = KeptReceipt(
      position: position, count: Int(count), aggregate: aggregate, visibility: visibility,
      answer: answer)
    return (receipt, digest)
  }
}
