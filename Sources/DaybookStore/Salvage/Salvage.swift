public import Avro
package import Daybook
public import Journal

/// The report on a salvage: what was saved of a damaged book, and what was not. It is the contents
/// of `salvage.json`.
package struct Salvage: Sendable {
  /// The damaged book's directory.
  package var source: String
  /// The damaged book's id; nil when no segment holds it.
  package var sourceBook: String?
  /// The new book's id. It is another history, and therefore another book.
  package var book: String
  /// The new book's head.
  package var head: Head
  /// How many entries were saved.
  package var keptCount: Int64 = 0
  /// How many of them got a later time, so that times never decrease.
  package var movedCount = 0
  /// The damage that a verification found.
  package var damages: [Damage] = []
  /// What is lost.
  package var losses: [Loss] = []
  /// Bytes at the end with nothing intact after them: a commit that was never acknowledged, or a
  /// damaged one.
  package var torn: TornTail?
  /// The positions in the new book for those in the damaged one, as far as they are known.
  package var moves: [Move] = []
  /// The placeholders for entities whose creation is lost.
  package var placeholders: [Placeholder] = []
  /// Entities that were created after a loss and whose old number is unknown. A placeholder for a
  /// number may stand for one of them.
  package var unnumbered: [UnnumberedEntity] = []

  /// A loss of entries.
  package struct Loss: Sendable {
    /// The place of the loss, and its positions.
    package var damage: Damage
    /// When the last entry before it was recorded.
    package var after: Instant?
    /// When the first entry after it was recorded.
    package var before: Instant?
  }

  /// Consecutive entries in both books.
  package struct Move: Sendable {
    /// The first one's position in the damaged book.
    package var from: Int64
    /// The first one's position in the new book.
    package var to: Int64
    /// How many entries there are.
    package var count: Int64
  }

  /// A placeholder for an entity whose creation is lost.
  package struct Placeholder: Sendable {
    /// The entity's kind: "account", "habit", "hive", …
    package var kind: String
    /// Its number in the damaged book.
    package var number: Int
    /// Its key in the new book.
    package var key: Key
    /// Its name in the new book.
    package var name: String
    /// The entities of ``Salvage/unnumbered`` that it may stand for.
    package var candidates: [Key] = []
  }

  /// An entity whose old number is unknown.
  package struct UnnumberedEntity: Sendable {
    /// Its kind: "account", "habit", "hive", …
    package var kind: String
    package var key: Key
    package var name: String
    /// The smallest number that it may have had, and the largest if there is a bound.
    var numbers: (least: Int, most: Int?)
  }

  /// The most entries that may be lost; nil when there is no bound.
  package var maximumLostCount: Int64? {
    losses.reduce(Int64?.some(0)) { sum, loss in
      sum.flatMap { sum in loss.damage.maximumEntryCount.map { sum + $0 } }
    }
  }
}

extension Damage {
  /// The most entries that may be lost; nil when there is no bound.
  var maximumEntryCount: Int64? {
    guard let first else { return 0 }
    return last.map { $0.number - first.number + 1 }
  }
}

extension Rejection {
  /// The refusal to salvage a book that is not damaged.
  package static func notDamaged(path: String) -> Rejection {
    Rejection(
      .notDamaged,
      "The book at \(path) is whole, so there is nothing to salvage; `daybook backup DIR` copies it."
    )
  }
}

extension Salvage {
  /// The report as JSON, one line for each member.
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
  /// The damage as JSON.
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
  /// The torn tail as JSON.
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

extension Salvage.UnnumberedEntity {
  fileprivate var json: JSON {
    .object([
      .init("kind", .string(kind)), .init("id", .string(key.description)),
      .init("name", .string(name)),
    ])
  }
}
