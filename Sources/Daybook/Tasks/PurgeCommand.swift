import Avro

/// What devices are told of when it is deleted, unless it is purged.
protocol PurgeableThing: PersonalThing {
  /// Whether devices are not even told that it is deleted.
  var isPurged: Bool { get }
}

/// A command that deletes a task or a label; one that is deleted already may be purged still.
protocol PurgeCommand: ColumnCommand where Answer == EntityNumber<Thing> {
  associatedtype Thing: PurgeableThing
  var thing: EntityNumber<Thing> { get set }
  /// Whether devices are not even told that it is deleted.
  var purge: Bool { get set }
  /// Deletes the thing, or purges it.
  func delete(from plan: inout TaskPlan)
}

extension PurgeCommand {
  /// The thing's column, `purge`.
  public mutating func visitColumns<V: ColumnVisitor>(_ visitor: inout V) throws(V.Failure) {
    try Thing.visit(&thing, by: &visitor)
    try visitor.column(
      "purge", &purge,
      [
        .doc(
          "whether devices are not even told that it is deleted; what is deleted already can be purged"
        )
      ])
  }

  /// Decides the command; the answer is the thing's number.
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
