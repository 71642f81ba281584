public import Avro
package import Daybook
public import Journal

/// What was saved of a damaged book, and what was not: what `salvage.json` tells.
package struct Salvage: Sendable {
  /// The damaged book's directory.
  package var source: String
  /// Its id; none when no segment tells it.
  package var sourceBook: String?
  /// The new book's id. It is another history, so it is another book.
  package var book: String
  /// The new book's head.
  package var head: Head
  /// How many entries were saved.
  package var keptCount: Int64 = 0
  /// How many of them got a later time, so that times never decrease.
  package var movedCount = 0
  /// What a verification found wrong.
  package var damages: [Damage] = []
  /// What is lost.
  package var losses: [Loss] = []
  /// Bytes at the end that nothing whole follows: a commit that was never acknowledged, or a damaged one.
  package var torn: TornTail?
  /// Which positions of the damaged book became which of the new one, as far as they are known.
  package var moves: [Move] = []
  /// What stands in for entities whose creation is lost.
  package var placeholders: [Placeholder] = []
  /// Entities that were created after a loss and whose old number is not known: what is named by number may be
  /// they, and stands beside them as a placeholder.
  package var unnumbered: [Unnumbered] = []

  /// Entries that are lost.
  package struct Loss: Sendable {
    /// Where, and which.
    package var damage: Damage
    /// When the last entry before it was recorded.
    package var after: Instant?
    /// When the first entry behind it was recorded.
    package var before: Instant?
  }

  /// Entries that follow one another in both books.
  package struct Move: Sendable {
    /// The first one's position in the damaged book.
    package var from: Int64
    /// The first one's position in the new book.
    package var to: Int64
    /// How many there are.
    package var count: Int64
  }

  /// An entity that stands in for one whose creation is lost.
  package struct Placeholder: Sendable {
    /// Of which kind it is: "account", "habit", "hive", …
    package var kind: String
    /// Its number in the damaged book.
    package var number: Int
    /// Its key in the new book.
    package var key: Key
    /// Its name in the new book.
    package var name: String
    /// Entities of ``Salvage/unnumbered`` that it may be.
    package var candidates: [Key] = []
  }

  /// An entity whose old number is not known.
  package struct Unnumbered: Sendable {
    /// Of which kind it is: "account", "habit", "hive", …
    package var kind: String
    package var key: Key
    package var name: String
    /// The least number that it may have had, and the largest one if there is one.
    var numbers: (least: Int, most: Int?)
  }

  /// No more than so many entries are lost; nobody can know without it.
  package var maximumLostCount: Int64? {
    losses.reduce(Int64?.some(0)) { sum, loss in
      sum.flatMap { sum in loss.damage.maximumEntryCount.map { sum + $0 } }
    }
  }
}

extension Damage {
  /// No more than so many entries are lost; nobody can know without it.
  var maximumEntryCount: Int64? {
    guard let first else { return 0 }
    return last.map { $0.number - first.number + 1 }
  }
}

extension Rejection {
  /// The book is whole.
  package static func notDamaged(path: String) -> Rejection {
    Rejection(
      .notDamaged,
      "The book at \(path) is whole, so there is nothing to salvage; `daybook backup DIR` copies it."
    )
  }
}

extension Salvage {
  /// The report as JSON, a line for each thing it tells.
  package var text: String {
    let members: [(String, JSON)] = [
      ("salvaged_from", .string(source)),
      ("salvaged_book", sourceBook.map { .string($0) } ?? .null),
      ("book", .string(book)), ("head", .string(head.description)), ("kept", .number(keptCount)),
      ("lost_at_most", maximumLostCount.map { .number($0) } ?? .null),
      ("times_moved", .number(Int64(movedCount))), ("lost", .array(losses.map(\.json))),
      ("torn", torn?.json ?? .null),
      ("placeholders", .array(placeholders.map(\.json))),
      ("unnumbered", .array(unnumbered.map(\.json))), ("positions", .array(moves.map(\.json))),
      ("damages", .array(damages.map(\.json))),
    ]
    let lines = members.map { name, value in
      let elements = value.elements ?? []
      let text =
        elements.isEmpty
        ? value.encoded
        : "[\n" + elements.map { "    " + $0.encoded }.joined(separator: ",\n") + "\n  ]"
      return "  \(JSON.string(name).encoded): \(text)"
    }
    return "{\n" + lines.joined(separator: ",\n") + "\n}\n"
  }
}

extension Damage {
  /// The damage for machines.
  public var json: JSON {
    .object([
      .init("file", .string(file)), .init("offset", .number(Int64(offset))),
      .init("bytes", .number(Int64(byteCount))),
      .init("first", first.map { .number($0.number) } ?? .null),
      .init("last", last.map { .number($0.number) } ?? .null), .init("reason", .string(reason)),
    ])
  }
}

extension TornTail {
  /// The torn tail for machines.
  public var json: JSON {
    .object([
      .init("file", .string(file)), .init("offset", .number(Int64(offset))),
      .init("bytes", .number(Int64(byteCount))),
    ])
  }
}

extension Salvage.Loss {
  fileprivate var json: JSON {
    .object(
      (damage.json.members ?? []) + [
        .init("after", after.map { .string($0.description) } ?? .null),
        .init("before", before.map { .string($0.description) } ?? .null),
      ])
  }
}

extension Salvage.Move {
  fileprivate var json: JSON {
    .object([
      .init("from", .number(from)), .init("to", .number(to)), .init("count", .number(count)),
    ])
  }
}

extension Salvage.Placeholder {
  fileprivate var json: JSON {
    .object([
      .init("kind", .string(kind)), .init("number", .number(Int64(number))),
      .init("id", .string(key.description)), .init("name", .string(name)),
      .init("may_be", .array(candidates.map { .string($0.description) })),
    ])
  }
}

extension Salvage.Unnumbered {
  fileprivate var json: JSON {
    .object([
      .init("kind", .string(kind)), .init("id", .string(key.description)),
      .init("name", .string(name)),
    ])
  }
}
