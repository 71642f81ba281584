import Avro

/// A file that may be a segment, as far as its name and its header tell.
struct SegmentCandidate {
  let path: String
  /// The segment that it is, by its own header where that is whole; else by the file's name.
  let name: SegmentName
  /// The schema that a whole header tells.
  let schemaText: String?
  private let reason: String

  /// The files of a journal in the order of what they are, those of other books left out. Of two that are the
  /// same segment the one with the right name is taken, and one with a whole header before one without.
  static func all(of journal: Journal, book: String?) throws(JournalError) -> [SegmentCandidate] {
    var found: [(rank: Int, candidate: SegmentCandidate)] = []
    for fileName in try journal.segments() {
      let path = journal.path(of: fileName)
      var (name, rank, schemaText, reason) = (fileName, 0, String?.none, "")
      do throws(JournalError) {
        let header = try open(path, fileName, journal).header
        guard header.book == book else { continue }
        schemaText = header.schemaText
      } catch {
        (rank, reason) = (2, error.reason)
        if let own = ownName(of: path, journal), let header = try? open(path, own, journal).header {
          guard header.book == book else { continue }
          (name, rank, schemaText) = (own, 1, header.schemaText)
        }
      }
      found.append(
        (rank, SegmentCandidate(path: path, name: name, schemaText: schemaText, reason: reason)))
    }
    var taken: Set<SegmentName> = []
    return found.sorted { ($0.rank, $0.candidate.path) < ($1.rank, $1.candidate.path) }.map(
      \.candidate
    )
    .filter { taken.insert($0.name).inserted }.sorted { $0.name < $1.name }
  }

  private static func open(
    _ path: String, _ name: SegmentName, _ journal: Journal
  ) throws(JournalError) -> SegmentReader {
    let decompressor = try withCodec { () throws(AvroError) in try ZstandardDecompressor() }
    return try SegmentReader(name: name, of: journal, at: path, decompressor: decompressor)
  }

  /// The name that a header says it should have.
  private static func ownName(of path: String, _ journal: Journal) -> SegmentName? {
    var bytes: [UInt8] = []
    guard let file = try? journal.storage.open(path, .read),
      (try? file.read(1 << 20, at: 0, appendingTo: &bytes)) != nil
    else { return nil }
    var reader = BinaryReader(bytes.span.bytes)
    let container = try? ContainerHeader(from: &reader)
    guard let first = container?["daybook.first"].flatMap({ Int64($0) }), first >= 1 else {
      return nil
    }
    return SegmentName(first: Position(first))
  }

  /// What is left of it; nothing when it cannot even be opened.
  func salvage(
    in journal: Journal, book: String, schemaTexts: [String], after latest: Int64, isLast: Bool
  ) throws(JournalError) -> SalvagedSegment? {
    if let schemaText, let scanner = try? EntryScanner(schemaText: schemaText) {
      return try SalvagedSegment(
        surveying: Self.open(path, name, journal), scanner, after: latest, isLast: isLast)
    }
    guard let file = try? journal.storage.open(path, .read) else { return nil }
    return try SalvagedSegment(
      searching: file, at: path, name, book: book, schemaTexts: schemaTexts, after: latest, reason)
  }
}
