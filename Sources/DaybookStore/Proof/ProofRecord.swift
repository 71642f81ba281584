import Avro
import Journal

/// A proof as a file: a line that says of what kind, the record in Avro's binary encoding, and SHA-256 of all bytes
/// before. It is valid iff the checksum is right and the record, written again, gives the same bytes: there is one file
/// for what it says.
protocol ProofRecord: AvroRecord {
  /// The file's first line.
  static var firstLine: [UInt8] { get }
}

extension ProofRecord {
  /// A proof file is read up to so many bytes.
  static var maximumByteCount: Int { 64 << 20 }

  /// The file.
  var bytes: [UInt8] {
    var writer = BinaryWriter()
    write(to: &writer)
    let bytes = Self.firstLine + writer.bytes
    return bytes + Digest(of: bytes).byteList
  }

  /// Reads a file.
  ///
  /// - Throws: ``ProofFlaw``.
  init(bytes: [UInt8]) throws(ProofFlaw) {
    guard bytes.count <= Self.maximumByteCount else { throw ProofFlaw("it is too large") }
    guard bytes.starts(with: Self.firstLine), bytes.count >= Self.firstLine.count + 32 else {
      throw ProofFlaw("it is no proof, or cut short")
    }
    let body = bytes.dropLast(32)
    guard Digest(bytes: bytes.suffix(32)) == Digest(of: body) else {
      throw ProofFlaw("its checksum is wrong: it was changed or cut short")
    }
    do throws(AvroError) {
      let record = body[Self.firstLine.count...]
      var reader = BinaryReader(record.span.bytes)
      try self.init(from: &reader)
      guard reader.isAtEnd else { throw .trailingBytes }
    } catch { throw ProofFlaw("it cannot be read (\(error))") }
    guard self.bytes == bytes else { throw ProofFlaw("it is not written as a proof is") }
  }
}

// MARK: - To and from what the journal proves

extension ProofFile.Way {
  init(_ way: ProvenKind) {
    blind = AvroBytes(way.blind.byteList)
    depth = Int32(way.depth)
    root = AvroBytes(way.root?.byteList ?? [])
    path = AvroBytes(way.path.flatMap(\.byteList))
    node = AvroBytes(way.nodeBlind?.byteList ?? [])
    entries = way.entries.map { entry in
      ProofFile.Entry(
        position: entry.position.number, form: AvroBytes(Array(entry.form)),
        commitment: AvroBytes(entry.commitment?.byteList ?? []))
    }
  }

  func way() throws(ProofFlaw) -> ProvenKind {
    guard let blind = Digest(bytes: blind.bytes) else { throw ProofFlaw("a digest is missing") }
    var way = ProvenKind(blind: blind, depth: Int(depth))
    way.root = try ProofFile.digest(root)
    way.path = try ProofFile.digests(path)
    way.nodeBlind = try ProofFile.digest(node)
    for entry in entries {
      way.entries.append(
        ProvenEntry(
          position: Position(entry.position), form: entry.form.bytes[...],
          commitment: try ProofFile.digest(entry.commitment)))
    }
    return way
  }
}
