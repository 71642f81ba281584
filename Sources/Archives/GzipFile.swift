/// A gzip file (RFC 1952).
///
///     1F 8B 08 FLAGS TIME(4) XFL OS [extra] [name 00] [comment 00] [header checksum(2)] DEFLATE CRC-32(4) size(4)
///
/// Valid iff the checksum and the size match the decompressed bytes.
package enum GzipFile {
  /// Whether bytes begin like a gzip file.
  package static func begins(_ bytes: some Collection<UInt8>) -> Bool {
    bytes.starts(with: [0x1F, 0x8B])
  }

  /// Decompresses a file with one member; anything after it is ignored.
  ///
  /// - Parameters:
  ///   - bytes: The file.
  ///   - maximum: The largest number of decompressed bytes to allow.
  /// - Returns: The decompressed bytes.
  /// - Throws: ``ArchiveError``.
  package static func content(
    of bytes: [UInt8], atMost maximum: Int
  ) throws(ArchiveError) -> [UInt8] {
    let (output, end) = try Inflater.inflate(bytes[try headerEnd(of: bytes)...], atMost: maximum)
    guard bytes.count - end >= 8 else {
      throw .damaged(offset: bytes.count, reason: "it ends too early")
    }
    guard bytes.integer32(at: end) == Checksum.of(output),
      bytes.integer32(at: end + 4) == UInt32(truncatingIfNeeded: output.count)
    else { throw .damaged(offset: end, reason: "the checksum does not match") }
    return output
  }

  private static func headerEnd(of bytes: [UInt8]) throws(ArchiveError) -> Int {
    guard bytes.count >= 10, begins(bytes) else {
      throw .damaged(offset: 0, reason: "it does not begin like a gzip file")
    }
    guard bytes[2] == 8 else { throw .unsupported(reason: "its method is not DEFLATE") }
    let flags = bytes[3]
    var offset = 10
    if flags & 0x04 != 0 {
      guard bytes.count - offset >= 2 else {
        throw .damaged(offset: offset, reason: "it ends too early")
      }
      offset += 2 + Int(bytes.integer16(at: offset))
    }
    for flag: UInt8 in [0x08, 0x10] where flags & flag != 0 {
      guard offset < bytes.count, let end = bytes[offset...].firstIndex(of: 0) else {
        throw .damaged(offset: min(offset, bytes.count), reason: "it ends too early")
      }
      offset = end + 1
    }
    if flags & 0x02 != 0 { offset += 2 }
    guard offset <= bytes.count else {
      throw .damaged(offset: bytes.count, reason: "it ends too early")
    }
    return offset
  }
}

extension [UInt8] {
  /// The little-endian number in two bytes, which must exist.
  func integer16(at offset: Int) -> UInt16 {
    UInt16(self[offset]) | UInt16(self[offset + 1]) << 8
  }

  /// The little-endian number in four bytes, which must exist.
  func integer32(at offset: Int) -> UInt32 {
    UInt32(integer16(at: offset)) | UInt32(integer16(at: offset + 2)) << 16
  }
}
