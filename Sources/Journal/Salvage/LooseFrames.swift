import Avro

/// Finds commits among bytes that are no whole blocks.
///
/// A frame proves its content by its checksum. Around it stand a count, a size and the marker; damage there
/// makes the block invalid and loses nothing. So a frame is taken when its checksum is right, when its content
/// is entries of the schema and nothing else, in the order of time, and when what stands before it or what
/// stands behind it fits.
struct LooseFrames {
  /// A frame with entries.
  struct Found {
    /// Where the frame begins among the bytes.
    var offset: Int
    /// How many bytes it has.
    var byteCount: Int
    /// How many entries it holds.
    var count: Int
    /// `at` of the last entry.
    var latest: Int64
    /// Stands for the content.
    var hash: Int

    /// The count and the size that stand, or should stand, before the frame.
    var envelope: [UInt8] {
      var writer = BinaryWriter()
      writer.put(Int64(count))
      writer.put(Int64(byteCount))
      return writer.bytes
    }

    /// Where the block begins that the frame is of.
    var blockOffset: Int { offset - envelope.count }
  }

  let decompressor: ZstandardDecompressor
  let scanner: EntryScanner
  /// The marker that blocks of the segment end with, if it is known.
  let marker: [UInt8]?

  /// The frames in a part of the bytes, from the front.
  ///
  /// - Parameters:
  ///   - bytes: The bytes of a file.
  ///   - range: The part that is looked through.
  ///   - latest: `at` of the last entry before them.
  ///   - known: The contents that were found before: another such is a copy that a stray write left.
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

  /// A number that stands for bytes.
  static func hash(of bytes: RawSpan) -> Int {
    var hasher = Hasher()
    bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
    return hasher.finalize()
  }

  /// Passes over entries until nothing is left.
  private func entries(in bytes: RawSpan, after latest: Int64) -> (count: Int, times: EntryTimes)? {
    var reader = BinaryReader(bytes)
    var times = EntryTimes(after: latest)
    var count = 0
    while !reader.isAtEnd {
      let before = reader.offset
      guard let at = try? scanner.pass(over: &reader), reader.offset > before else { return nil }
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
