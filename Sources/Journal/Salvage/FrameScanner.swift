import Avro

/// Finds intact commits among bytes that are not complete blocks.
///
/// A frame's checksum proves its content. It does not cover the count, size and marker around the
/// frame: damage there makes the block invalid, but loses no entry. So a frame is accepted if its
/// checksum is right, its content is entries of the schema in the order of time, and the count and
/// size before it, or the marker after it, are intact.
struct FrameScanner {
  /// A frame with entries.
  struct Found {
    /// The frame's offset among the bytes.
    var offset: Int
    /// The frame's size in bytes.
    var byteCount: Int
    /// How many entries it holds.
    var count: Int
    /// `at` of the last entry.
    var latest: Int64
    /// A hash of the content.
    var hash: Int

    /// The count and the size that should precede the frame.
    var envelope: [UInt8] {
      var writer = BinaryWriter()
      writer.put(Int64(count))
      writer.put(Int64(byteCount))
      return writer.bytes
    }

    /// The offset of the frame's block.
    var blockOffset: Int { offset - envelope.count }
  }

  let decompressor: ZstandardDecompressor
  let scanner: EntryScanner
  /// The sync marker that ends the segment's blocks, if it is known.
  let marker: [UInt8]?

  /// The frames in a range of the bytes, in order.
  ///
  /// - Parameters:
  ///   - bytes: The bytes of a file.
  ///   - range: The range to search.
  ///   - latest: `at` of the last entry before them.
  ///   - known: Hashes of the contents already found: a second frame with one of them is a copy
  ///     left by a stray write.
  /// - Returns: The frames that were found.
  func find(
    in bytes: [UInt8], _ range: Range<Int>, after latest: Int64, known: inout Set<Int>
  ) -> [Found] {
    var found: [Found] = []
    var place = range.lowerBound
    while place + 8 < range.upperBound {
      guard SegmentReader.isFrame(at: place, in: bytes),
        let frame = frame(at: place, in: bytes, range, after: found.last?.latest ?? latest),
        known.insert(frame.hash).inserted
      else {
        place += 1
        continue
      }
      found.append(frame)
      place += frame.byteCount
    }
    return found
  }

  private func frame(
    at place: Int, in bytes: [UInt8], _ range: Range<Int>, after latest: Int64
  ) -> Found? {
    let rest = bytes.span.bytes.extracting(place..<range.upperBound)
    guard let byteCount = ZstandardDecompressor.frameByteCount(rest) else { return nil }
    var content: [UInt8] = []
    guard
      let contentCount = try? decompressor.decompress(
        rest.extracting(first: byteCount), into: &content),
      let (count, times) = entries(
        in: content.span.bytes.extracting(first: contentCount), after: latest),
      !times.isDisordered
    else { return nil }
    let found = Found(
      offset: place, byteCount: byteCount, count: count, latest: times.last,
      hash: Self.hash(of: content.span.bytes.extracting(first: contentCount)))
    return isPreceded(found, bytes) || isFollowed(place + byteCount, bytes) ? found : nil
  }

  /// A hash of some bytes.
  static func hash(of bytes: RawSpan) -> Int {
    var hasher = Hasher()
    bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
    return hasher.finalize()
  }

  /// Scans entries until the bytes end.
  private func entries(in bytes: RawSpan, after latest: Int64) -> (count: Int, times: EntryTimes)? {
    var reader = BinaryReader(bytes)
    var times = EntryTimes(after: latest)
    var count = 0
    while !reader.isAtEnd {
      let before = reader.offset
      guard let at = try? scanner.scan(over: &reader), reader.offset > before else { return nil }
      times.note(at)
      count += 1
    }
    return count > 0 ? (count, times) : nil
  }

  private func isPreceded(_ found: Found, _ bytes: [UInt8]) -> Bool {
    found.blockOffset >= 0 && bytes[found.blockOffset..<found.offset].elementsEqual(found.envelope)
  }

  private func isFollowed(_ end: Int, _ bytes: [UInt8]) -> Bool {
    guard let marker, end + marker.count <= bytes.count else { return false }
    return bytes[end..<end + marker.count].elementsEqual(marker)
  }
}
