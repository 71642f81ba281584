import Avro

/// A file that may be a segment, judged by its name and its header.
struct SegmentCandidate {
  let path: String
  /// The segment's name: from its own header if that is intact, otherwise from the file.
  let name: SegmentName
  /// The schema in an intact header.
  let schemaText: String?
  private let reason: String

  /// The files of a journal in segment order, without those of other books. If a segment has several files, the one
  /// with the right name is preferred, and one with an intact header to one without.
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

  /// The name that a file's header calls for.
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

  /// What is left of it; nil when the file cannot even be opened.
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
