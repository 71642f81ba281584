/// The entries that a book must hold, and those that it may hold.
struct Ledger: Hashable {
  /// Whether the book's creation was acknowledged.
  var isMade = false
  /// The numbers of entries that were acknowledged, or read by a program that opened the book for writing.
  var kept: [Int] = []
  /// Later commits that were submitted and not acknowledged; one of them may exist.
  var possible: [[Int]] = []

  /// Judges the result: acknowledged ⊆ found ⊆ submitted, in order, with no partial commit.
  func judge(_ found: Finding) throws(Flaw) {
    switch found {
    case .noBook:
      if isMade { throw Flaw("the book is gone") }
    case .entries(let numbers):
      if numbers == kept { return }
      guard numbers.starts(with: kept) else {
        throw Flaw("acknowledged \(kept), found \(numbers)")
      }
      guard possible.contains(where: { numbers.dropFirst(kept.count).elementsEqual($0) }) else {
        throw Flaw("found \(numbers), submitted \(kept) and one of \(possible)")
      }
    case .damaged(let report):
      throw Flaw(report)
    }
  }

  /// The result must be kept from now on.
  mutating func take(_ numbers: [Int]) {
    isMade = true
    kept = numbers
    possible = []
  }
}

/// The state of a found book.
enum Finding: Hashable {
  case noBook
  case entries([Int])
  /// The book is refused as damaged.
  case damaged(String)
}

/// A violation, and how it came about: the innermost circumstance last.
struct Flaw: Error, CustomStringConvertible {
  private(set) var trail: [String]

  init(_ what: String) { trail = [what] }

  func during(_ what: @autoclosure () -> String) -> Flaw {
    var flaw = self
    flaw.trail.insert(what(), at: 0)
    return flaw
  }

  var description: String { trail.joined(separator: "\n    ") }

  /// Runs a body; a violation in it is reported with its place.
  static func during<Result>(
    _ what: @autoclosure () -> String, _ body: () throws(Flaw) -> Result
  ) throws(Flaw) -> Result {
    do throws(Flaw) { return try body() } catch { throw error.during(what()) }
  }

  /// Runs a body that must not fail.
  static func unlessDone<Result>(
    _ what: @autoclosure () -> String, _ body: () throws -> Result
  ) throws(Flaw) -> Result {
    do { return try body() } catch let flaw as Flaw { throw flaw.during(what()) } catch {
      throw Flaw("\(what()): \(error)")
    }
  }

  static func require(
    _ holds: Bool, _ otherwise: @autoclosure () -> String
  ) throws(Flaw) {
    if !holds { throw Flaw(otherwise()) }
  }
}
