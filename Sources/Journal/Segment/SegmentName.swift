/// A segment's file name: the position of its first entry in twenty digits, then `.avro`.
public struct SegmentName: Hashable, Comparable, Sendable {
  /// The position of the segment's first entry.
  public let first: Position

  /// The first segment of every journal.
  package static let first = SegmentName(first: .start.next)

  /// Names the segment that begins at a position.
  public init(first: Position) { self.first = first }

  /// Parses a file name; `nil` for files that are no segments.
  public init?(fileName: String) {
    guard fileName.utf8.count == 25, fileName.hasSuffix(".avro"),
      fileName.utf8.prefix(20).allSatisfy({ (0x30...0x39).contains($0) }),
      let number = Int64(fileName.prefix(20)), number >= 1
    else { return nil }
    first = Position(number)
  }

  /// The file's name.
  public var fileName: String {
    let digits = String(first.number)
    return String(repeating: "0", count: 20 - digits.count) + digits + ".avro"
  }

  /// Whether the left segment is before the right one.
  public static func < (left: SegmentName, right: SegmentName) -> Bool { left.first < right.first }
}
