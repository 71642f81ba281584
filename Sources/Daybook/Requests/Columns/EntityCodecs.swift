import Values
package import Avro

/// The household that `household` names; if left out, the only one that the actor is in.
package struct HouseholdCodec: ColumnCodec {
  /// Reads and writes `household`.
  package init() {}

  /// `household`.
  package var columns: [Column] {
    [
      Column(
        "household", Household.ID?.self,
        "the household; may be left out by a member of only one")
    ]
  }
  /// The first two households.
  package var examples: (Household.ID, Household.ID) { Household.ID.examples }

  /// Reads the household.
  ///
  /// - Throws: a rejection that names the column.
  package func read(_ reader: inout RequestReader) throws -> Household.ID? {
    try reader.household()
  }

  /// Its key.
  package func members(of value: Household.ID, in state: BookState) -> [JSON.Member] {
    [.init("household", value.json(state))]
  }
}

/// An entity of a household that a column names by key. The column `household` may name its household, too.
package struct HouseholdEntityCodec<Thing: Entity>: ColumnCodec {
  private let name: String

  /// Reads and writes a column.
  package init(_ name: String) { self.name = name }

  /// The column, and `household`.
  package var columns: [Column] {
    [
      Column(name, EntityNumber<Thing>.self, isNeeded: true),
      Column("household", Household.ID?.self, "its household; may be left out"),
    ]
  }
  /// The first two.
  package var examples: (EntityNumber<Thing>, EntityNumber<Thing>) { EntityNumber<Thing>.examples }

  /// Reads the key.
  ///
  /// - Throws: a rejection that names the column.
  package func read(_ reader: inout RequestReader) throws -> EntityNumber<Thing>? {
    guard let json = reader.value(name), json != .null else { throw Rejection.missingField(name) }
    let household = try reader.optionalKey("household")
    let number: EntityNumber<Thing> = try reader.decode(json, name)
    let home = reader.state.entity(number)?.home
    guard household == nil || home.flatMap({ reader.state.households[$0]?.key }) == household else {
      throw EntityKind(of: Thing.self)?.notFound ?? Rejection.missingField(name)
    }
    return number
  }

  /// Its key.
  package func members(of value: EntityNumber<Thing>, in state: BookState) -> [JSON.Member] {
    [.init(name, value.json(state))]
  }
}

/// An entity that a column names by key, with its own rejection for a missing one instead of the kind's.
package struct EntityCodec<Kind: Entity>: ColumnCodec {
  private let name: String
  private let missing: Rejection
  private let doc: String

  init(_ name: String, orElse missing: Rejection, _ doc: String = "") {
    self.name = name
    self.missing = missing
    self.doc = doc
  }

  /// The column.
  package var columns: [Column] {
    [Column(name, EntityNumber<Kind>.self, isNeeded: true, doc)]
  }
  /// The first two.
  package var examples: (EntityNumber<Kind>, EntityNumber<Kind>) { EntityNumber<Kind>.examples }

  /// Reads the key.
  ///
  /// - Throws: a rejection that names the column.
  package func read(_ reader: inout RequestReader) throws -> EntityNumber<Kind>? {
    guard let json = reader.value(name), json != .null else { throw Rejection.missingField(name) }
    return try reader.number(json, name, orElse: missing)
  }

  /// Its key.
  package func members(of value: EntityNumber<Kind>, in state: BookState) -> [JSON.Member] {
    [.init(name, value.json(state))]
  }
}

/// An entity that a column may name by key, with its own rejection for a missing one instead of the kind's. Null means
/// no entity.
package struct OptionalEntityCodec<Kind: Entity>: ColumnCodec {
  private let name: String
  private let missing: Rejection
  private let isNeeded: Bool
  private let doc: String

  init(_ name: String, orElse missing: Rejection, isNeeded: Bool = false, _ doc: String = "") {
    self.name = name
    self.missing = missing
    self.isNeeded = isNeeded
    self.doc = doc
  }

  /// The column.
  package var columns: [Column] {
    [Column(name, EntityNumber<Kind>?.self, isNeeded: isNeeded, doc)]
  }
  /// The first two.
  package var examples: (EntityNumber<Kind>?, EntityNumber<Kind>?) { EntityNumber<Kind>?.examples }

  /// Reads the key.
  ///
  /// - Throws: a rejection that names the column.
  package func read(_ reader: inout RequestReader) throws -> EntityNumber<Kind>?? {
    guard let json = reader.value(name) else {
      if isNeeded, !reader.isPatching { throw Rejection.missingField(name) }
      return nil
    }
    guard json != .null else { return .some(nil) }
    return .some(try reader.number(json, name, orElse: missing))
  }

  /// Its key, or null.
  package func members(of value: EntityNumber<Kind>?, in state: BookState) -> [JSON.Member] {
    [.init(name, value.json(state))]
  }
}

extension RequestReader {
  /// The entity that a key names.
  fileprivate func number<Kind: Entity>(
    _ json: JSON, _ name: String, orElse missing: Rejection
  ) throws -> EntityNumber<Kind> {
    do throws(JSONFault) { return try EntityNumber<Kind>(json: json, self) } catch {
      guard case .unknown = error else {
        throw Rejection.invalidField(name, "\(json.shown) is not \(Key.jsonWords)")
      }
      throw missing
    }
  }
}
