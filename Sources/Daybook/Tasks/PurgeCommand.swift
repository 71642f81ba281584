import Avro

/// An entity whose deletion leaves a tombstone for devices, unless the entity is purged.
protocol PurgeableEntity: PersonalEntity {
  /// Whether even the tombstone is hidden from devices.
  var isPurged: Bool { get }
}

/// A command that deletes or purges a task or a label. An entity that is already deleted can still
/// be purged.
protocol PurgeCommand: ColumnCommand where Answer == EntityNumber<Thing> {
  associatedtype Thing: PurgeableEntity
  var thing: EntityNumber<Thing> { get set }
  /// Whether even the tombstone is hidden from devices.
  var purge: Bool { get set }
  /// Deletes or purges the entity.
  func delete(from plan: inout TaskPlan)
}

extension PurgeCommand {
  /// The entity's column, and `purge`.
  public mutating func visitColumns<V: ColumnVisitor>(_ visitor: inout V) throws(V.Failure) {
    try Thing.visit(&thing, by: &visitor)
    try visitor.column(
      "purge", &purge,
      [
        .doc(
          "whether to hide even the deletion from devices; a deleted one can still be purged"
        )
      ])
  }

  /// Decides the command; the answer is the entity's number.
  ///
  /// - Throws: ``Rejection``.
  public func decide(
    _ state: BookState, _ context: Context
  ) throws(Rejection) -> Decision<EntityNumber<Thing>> {
    var plan = try TaskPlan(state, context)
    if purge {
      guard let found = state[keyPath: Thing.table][thing], !found.isPurged else {
        throw Thing.kind.notFound
      }
      guard found.ownedBy == plan.actor else { throw Thing.notOwner }
    } else {
      _ = try state.own(thing, context)
    }
    delete(from: &plan)
    return Decision(plan.events, thing)
  }
}
