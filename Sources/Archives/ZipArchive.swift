/// A ZIP archive: the files in it, stored or compressed with DEFLATE (PKWARE's APPNOTE, sections 4.3 and 4.4).
///
///     (local header, bytes)* central header* end
///     central header = "PK" 01 02 … flags(2) method(2) … CRC-32(4) compressed(4) size(4) name(2) extra(2) comment(2)
///                      … offset(4) name extra comment
///     end            = "PK" 05 06 … count(2) bytes(4) offset(4) comment(2) comment
///
/// The central headers are authoritative: they are located from the end, and lead to the bytes of each file.
/// Files are read into memory only, so any file name is harmless. Encrypted archives, multi-part archives and
/// those of four gigabytes or more are not supported.
package struct ZipArchive: Sendable {
  /// A file in an archive.
  package struct File: Hashable, Sendable {
    /// Its path in the archive.
    package let name: String
    /// The decompressed contents.
    package let bytes: [UInt8]
  }

  private struct Header {
    var name: String
    var isEncrypted: Bool
    var method: UInt16
    var checksum: UInt32
    var compressedCount: Int
    var byteCount: Int
    var offset: Int
  }

  private let bytes: [UInt8]
  private let headers: [Header]
  private let limits: ArchiveLimits

  /// Whether bytes begin like an archive that contains a file.
  package static func begins(_ bytes: some Collection<UInt8>) -> Bool {
    bytes.starts(with: [0x50, 0x4B, 0x03, 0x04])
  }

  /// Reads the directory of an archive.
  ///
  /// - Parameters:
  ///   - bytes: The archive.
  ///   - limits: The limits to enforce.
  /// - Throws: ``ArchiveError``.
  package init(_ bytes: [UInt8], limits: ArchiveLimits = .usual) throws(ArchiveError) {
    self.bytes = bytes
    self.limits = limits
    headers = try Self.headers(of: bytes, atMost: limits.fileCount)
  }

  /// The paths of the files, in the order of the directory; folders are not included.
  package var names: [String] { headers.map(\.name) }

  /// The paths of the files that exceed the size limit for one file.
  package var oversized: [String] {
    headers.filter { $0.byteCount > limits.fileByteCount }.map(\.name)
  }

  /// Extracts selected files, in the order of the directory.
  ///
  /// - Parameter isWanted: Whether to extract the file with a path.
  /// - Returns: The files.
  /// - Throws: ``ArchiveError``, in particular when a limit is exceeded.
  package func files(where isWanted: (String) -> Bool) throws(ArchiveError) -> [File] {
    var files: [File] = []
    var rest = limits.byteCount
    for header in headers where isWanted(header.name) {
      let content = try content(of: header, atMost: min(rest, limits.fileByteCount))
      rest -= content.count
      files.append(File(name: header.name, bytes: content))
    }
    return files
  }

  // MARK: Headers

  private static func headers(
    of bytes: [UInt8], atMost maximum: Int
  ) throws(ArchiveError) -> [Header] {
    let end = try end(of: bytes)
    let count = Int(bytes.integer16(at: end + 10))
    var offset = Int(bytes.integer32(at: end + 16))
    guard bytes.integer16(at: end + 4) == 0, bytes.integer16(at: end + 8) == count else {
      throw .unsupported(reason: "it is in several parts")
    }
    guard count != 0xFFFF, offset != 0xFFFF_FFFF else {
      throw .unsupported(reason: "it is a ZIP64 archive")
    }
    guard count <= maximum else { throw .tooManyFiles(maximum: maximum) }
    var headers: [Header] = []
    var names: Set<String> = []
    for _ in 0..<count {
      let header = try header(in: bytes, at: &offset, before: end)
      if header.name.hasSuffix("/") { continue }
      guard names.insert(header.name).inserted else {
        throw .damaged(offset: offset, reason: "it has two files \"\(header.name)\"")
      }
      headers.append(header)
    }
    return headers
  }

  /// The offset of the end record, found by searching backwards because a comment may follow it.
  private static func end(of bytes: [UInt8]) throws(ArchiveError) -> Int {
    var offset = bytes.count - 22
    while offset >= max(0, bytes.count - 22 - 0xFFFF) {
      if bytes.integer32(at: offset) == 0x0605_4B50,
        Int(bytes.integer16(at: offset + 20)) == bytes.count - offset - 22
      {
        return offset
      }
      offset -= 1
    }
    throw .damaged(offset: bytes.count, reason: "the list of its files is missing")
  }

  private static func header(
    in bytes: [UInt8], at offset: inout Int, before end: Int
  ) throws(ArchiveError) -> Header {
    guard end - offset >= 46, bytes.integer32(at: offset) == 0x0201_4B50 else {
      throw .damaged(offset: min(offset, bytes.count), reason: "the list of its files is cut off")
    }
    let nameEnd = offset + 46 + Int(bytes.integer16(at: offset + 28))
    let next =
      nameEnd + Int(bytes.integer16(at: offset + 30)) + Int(bytes.integer16(at: offset + 32))
    guard next <= end else {
      throw .damaged(offset: offset, reason: "the list of its files is cut off")
    }
    let header = Header(
      name: String(decoding: bytes[offset + 46..<nameEnd], as: UTF8.self),
      isEncrypted: bytes.integer16(at: offset + 8) & 1 == 1,
      method: bytes.integer16(at: offset + 10), checksum: bytes.integer32(at: offset + 16),
      compressedCount: Int(bytes.integer32(at: offset + 20)),
      byteCount: Int(bytes.integer32(at: offset + 24)),
      offset: Int(bytes.integer32(at: offset + 42)))
    offset = next
    return header
  }

  // MARK: Content

  private func content(
    of header: Header, atMost maximum: Int
  ) throws(ArchiveError) -> [UInt8] {
    guard !header.isEncrypted else { throw .unsupported(reason: "\(header.name) is encrypted") }
    guard header.byteCount <= maximum else { throw .tooLarge(maximum: maximum) }
    guard bytes.count - header.offset >= 30, bytes.integer32(at: header.offset) == 0x0403_4B50
    else { throw damaged(header, "its header is missing") }
    let start =
      header.offset + 30 + Int(bytes.integer16(at: header.offset + 26))
      + Int(bytes.integer16(at: header.offset + 28))
    guard start <= bytes.count, bytes.count - start >= header.compressedCount else {
      throw damaged(header, "it is cut off")
    }
    let part = bytes[start..<start + header.compressedCount]
    let content: [UInt8]
    switch header.method {
    case 0: content = Array(part)
    case 8: content = try Inflater.inflate(part, atMost: header.byteCount).output
    default: throw .unsupported(reason: "the method \(header.method) of \(header.name)")
    }
    guard content.count == header.byteCount, Checksum.of(content) == header.checksum else {
      throw damaged(header, "its checksum does not match")
    }
    return content
  }

  private func damaged(_ header: Header, _ reason: String) -> ArchiveError {
    .damaged(offset: min(header.offset, bytes.count), reason: "\(header.name): \(reason)")
  }
}
