import Avro
import Daybook
import Journal

/// The entries that one account may see, numbered from 1: the lines of its export
/// (``BookReader/export(of:as:until:_:)``), of which any part can be read without those before it.
///
/// The lines never change while the scope stays the same; there are only more of them. When
/// something older becomes visible, or something stops being visible, the scope is a different one
/// and the lines are counted anew.
struct AccountFeed: Sendable {
  /// A place from which lines can be read.
  struct Mark: Sendable {
    /// The lines before the place.
    var chain = ChainDigest()
    /// The position in the book up to which nothing more is visible.
    var position: Int64 = 0
    /// The steps of the lines before it.
    var steps = StepCounter()
  }

  /// Lines of a feed.
  struct Page: Sendable {
    var lines: [String] = []
    /// The lines up to the last one of the page.
    var chain: ChainDigest
    /// Whether there are more lines.
    var hasMore = false
  }

  /// The number of lines between two marks.
  static let spacing: Int64 = 256

  let account: Account.ID
  /// Names the scope. It is the same text as long as earlier lines stay as they are; it says nothing
  /// about entities that the account does not see.
  private(set) var token = ""
  /// The end of the lines.
  private(set) var end = Mark()
  /// The places from which lines can be read, ascending.
  private var marks = [Mark()]
  private var scope: AccountScope
  private var included: Set<Aggregate> = []
  /// The number of entities of each kind when the feed was brought up to date.
  private var counts: [Int] = []
  /// How many of the lines say that an account was erased. Each erasure blanks older lines.
  private(set) var erasureCount = 0

  init(of account: Account.ID) {
    self.account = account
    scope = AccountScope(of: account, including: [], others: [])
  }

  // MARK: Following the book

  /// Brings the feed up to a state of the book.
  ///
  /// - Throws: ``JournalError``, or ``ExchangeError/danglingNumber(position:reason:)``.
  mutating func advance(to state: BookState, _ reader: BookReader) throws {
    guard token.isEmpty || state.position > end.position else { return }
    let visible = state.aggregates(of: account).filter { state.isVisible($0, to: account) }
    if !continues(with: visible, in: state) { self = AccountFeed(of: account) }
    included = visible
    scope = scope(others: scope.others)
    while true {
      var (grown, last, new) = (scope, end, [Mark]())
      var erasureCount = 0
      try read(after: end, through: state.position, reader) { part, position, steps in
        grown.introduce(those: part)
        if case .accountErased = part.event { erasureCount += 1 }
        (last.position, last.steps) = (position, steps)
        last.chain.add(try Self.line(of: part, in: state))
        if last.chain.count % Self.spacing == 0 { new.append(last) }
        return true
      }
      last.position = state.position
      let isFirst = end.chain.count == 0
      // Whoever is met in an entry appears with entries of their own, which may be older; and an
      // erasure blanks older entries. Then all lines are counted anew.
      if grown.others == scope.others, isFirst || erasureCount == 0 {
        (end, marks) = (last, marks + new)
        self.erasureCount += erasureCount
        break
      }
      (end, marks) = (Mark(), [Mark()])
      self.erasureCount = 0
      scope = scope(others: grown.others)
    }
    counts = EntityKind.allCases.map { state.table(of: $0).count }
    token = newToken(in: state)
  }

  /// Whether the lines so far stay as they are when the account sees these aggregates.
  private func continues(with visible: Set<Aggregate>, in state: BookState) -> Bool {
    !token.isEmpty && token == newToken(in: state)
      && included == visible.filter { Int($0.number) <= counts[$0.kind.index] }
  }

  private func scope(others: Set<Aggregate>) -> AccountScope {
    AccountScope(of: account, including: included, others: others)
  }

  /// The digest of what decides which lines there are and what they say: the hives, the households
  /// and the people that the account sees, and how many of these people were erased. All else that
  /// it sees is its own, and only ever gets more.
  private func newToken(in state: BookState) -> String {
    let shared = included.filter { $0.kind == .hive || $0.kind == .household }
    func name(_ aggregate: Aggregate) -> String {
      let entity = state.table(of: aggregate.kind).entity(aggregate.number)
      return "\(aggregate.kind.word) \(entity?.key.description ?? "")\n"
    }
    let own = "scope 1 of \(name(.account(account)))"
    let texts =
      [own, "erasures \(erasureCount)\n"]
      + shared.union(scope.others).subtracting([.account(account)]).map(name).sorted()
    return Digest(of: texts.joined().utf8).description
  }

  // MARK: Reading lines

  /// The lines after a place.
  ///
  /// - Parameters:
  ///   - place: The lines that the reader has.
  ///   - limit: How many lines; a command's lines stay together, so there may be a few more.
  ///   - byteCount: About how many bytes at most.
  ///   - state: The state to which the feed was brought up.
  ///   - reader: The book.
  /// - Returns: The lines; nil when the feed never had the lines that the reader has.
  /// - Throws: ``JournalError``, or ``ExchangeError/danglingNumber(position:reason:)``.
  func page(
    after place: ChainDigest, limit: Int, byteCount: Int, in state: BookState, _ reader: BookReader
  ) throws -> Page? {
    guard place.count <= end.chain.count,
      var mark = marks.last(where: { $0.chain.count <= place.count })
    else { return nil }
    var page = Page(chain: mark.chain)
    var (isPast, size) = (page.chain == place, 0)
    guard isPast || page.chain.count < place.count else { return nil }
    reading: while mark.position < end.position {
      let wanted = max(place.count, mark.chain.count) + Int64(limit)
      let next = marks.first { $0.chain.count > wanted } ?? end
      try read(after: mark, through: next.position, reader) { part, _, _ in
        if page.lines.count >= limit || size >= byteCount, part.head.step <= 1 {
          page.hasMore = true
          return false
        }
        let line = try Self.line(of: part, in: state)
        page.chain.add(line)
        if isPast {
          page.lines.append(line)
          size += line.utf8.count
        } else if page.chain.count == place.count {
          guard page.chain == place else { return false }
          isPast = true
        }
        return true
      }
      if page.hasMore || (!isPast && page.chain.count >= place.count) { break reading }
      mark = next
    }
    return isPast ? page : nil
  }

  /// Gives the visible entries between two places as they are shown, each with its position in the
  /// book and the steps up to it.
  private func read(
    after mark: Mark, through last: Int64, _ reader: BookReader,
    _ body: (_ part: Entry, _ position: Int64, _ steps: StepCounter) throws -> Bool
  ) throws {
    let wanted = included.union(scope.others)
    var (count, steps) = (mark.chain.count, mark.steps)
    for (aggregate, entry) in try reader.entries(of: wanted, after: mark.position, through: last) {
      guard var part = scope.part(of: entry, about: aggregate) else { continue }
      part.head.step = steps.step(of: entry.head)
      count += 1
      part.head.position = count
      guard try body(part, entry.head.position, steps) else { return }
    }
  }

  private static func line(of part: Entry, in state: BookState) throws(ExchangeError) -> String {
    var transcriber = EntryTranscriber()
    do throws(TranscodingError) {
      return try transcriber.json(of: part, StateKeys(state: state)).encoded
    } catch {
      throw .danglingNumber(position: part.head.position, reason: error.description)
    }
  }
}
