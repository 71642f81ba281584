import Avro
import Values

/// The place of one entity among others of its kind.
public enum ListPlace<Thing: Entity>: Hashable, Sendable {
  /// Before all others.
  case first
  /// After all others.
  case last
  /// Right before another.
  case before(EntityNumber<Thing>)
  /// Right after another.
  case after(EntityNumber<Thing>)
}

/// The place of an entity: `before` or `after` another one, or `place`: `first` or `last`.
struct ListPlaceCodec<Thing: Entity>: ColumnCodec {
  /// The word for an entity: "habit".
  private let noun: String

  init(noun: String) { self.noun = noun }

  var columns: [Column] {
    var place = Column("place", String?.self, usual: "last")
    place.schema = ["enum": ["first", "last", .null]]
    return [
      Column(
        "before", EntityNumber<Thing>?.self, "right before this \(noun); or `after`, or `place`"),
      Column("after", EntityNumber<Thing>?.self, "right after this \(noun)"), place,
    ]
  }
  var examples: (ListPlace<Thing>, ListPlace<Thing>) { (.first, .last) }

  func read(_ reader: inout RequestReader) throws -> ListPlace<Thing>? {
    let before = try neighbour("before", &reader)
    let after = try neighbour("after", &reader)
    let place = try reader.optional("place", "first or last") { json -> ListPlace<Thing>? in
      switch json.text {
      case "first": .first
      case "last": .last
      default: nil
      }
    }
    let places = [before.map { ListPlace<Thing>.before($0) }, after.map { .after($0) }, place]
      .compactMap(\.self)
    guard places.count < 2 else {
      throw Rejection.invalidField("place", "give one of before, after and place")
    }
    return places.first
  }

  private func neighbour(
    _ name: String, _ reader: inout RequestReader
  ) throws -> EntityNumber<Thing>? {
    guard let json = reader.value(name), json != .null else { return nil }
    return try reader.decode(json, name) as EntityNumber<Thing>
  }

  func members(of value: ListPlace<Thing>, in state: BookState) -> [JSON.Member] {
    switch value {
    case .first: [.init("place", "first")]
    case .last: [.init("place", "last")]
    case .before(let other): [.init("before", other.json(state))]
    case .after(let other): [.init("after", other.json(state))]
    }
  }
}
