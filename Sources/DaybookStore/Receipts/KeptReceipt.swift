import Avro
import Daybook

/// The receipt of a line that was carried out: all that is needed to repeat its answer.
struct KeptReceipt: Equatable, Sendable {
  /// The position of the line's first entry.
  var position: Int64
  /// How many entries the line appended.
  var count: Int
  /// The entity that the answer is about; nil when the answer shows nothing that the caller could
  /// lose sight of.
  var aggregate: Aggregate?
  /// How much of that entity the actor saw right after the command.
  var visibility: Visibility
  /// The answer as JSON text.
  var answer: [UInt8]

  /// The size of a receipt's digest in bytes.
  static let digestByteCount = 16

  /// Where the line's entries are.
  var span: CommandSpan { CommandSpan(position: position, count: count) }

  /// Appends the receipt to a block of its file.
  ///
  /// - Parameters:
  ///   - first: The position of the block's first receipt.
  ///   - digest: Binds the receipt to its line and entry (``SentLine/digest(of:on:)``).
  ///   - writer: Receives the bytes.
  func write(after first: Int64, _ digest: [UInt8], to writer: inout BinaryWriter) {
    writer.put(position &- first)
    writer.put(Int64(count))
    writer.put(aggregate?.code ?? 0)
    writer.put(Int64(visibility.rawValue))
    writer.put(raw: digest)
    writer.put(counted: answer)
  }

  /// Reads the next receipt of a block.
  ///
  /// - Throws: ``AvroError`` when the bytes are no receipt.
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
