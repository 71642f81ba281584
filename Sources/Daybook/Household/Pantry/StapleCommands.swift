/// Writes down what the household keeps at home (MC-9). Repeated by a member with the same key it changes nothing.
public struct AddStaple: ColumnCommand {
  /// The household.
  public var household: Household.ID
  /// The client's name for it; a fresh one unless given.
  public var key: Key?
  /// What is kept.
  public var content: StapleContent

  /// Makes the command.
  public init(in household: Household.ID, key: Key? = nil, _ content: StapleContent) {
    self.household = household
    self.key = key
    self.content = content
  }

  /// "add_pantry_staple".
  public static var form: CommandForm {
    CommandForm(
      "add_pantry_staple", "Writes down what the household keeps at home.", answer: "pantry_staple")
  }
  /// A staple without a name.
  public static var defaults: AddStaple { AddStaple(in: .blank, .blank) }

  /// `household`, `key`, and what is kept.
  public mutating func visitColumns<V: ColumnVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.columns(HouseholdCodec(), &household)
    try visitor.column("key", &key)
    try content.visitColumns(&visitor)
  }

  /// Decides the command; the answer is its number.
  ///
  /// - Throws: ``Rejection``.
  public func decide(
    _ state: State, _ context: Context
  ) throws(Rejection) -> Decision<Staple.ID> {
    let (_, actor) = try state.ownHousehold(household, context)
    let key = key ?? context.freshKey
    if let known = try state.known(key, in: state.staples, of: household) {
      return Decision([], known)
    }
    let content = try content.checked()
    return Decision(
      [
        .stapleAdded(
          StapleAdded(key: key, household: household, owner: actor, content: content))
      ], state.staples.nextNumber)
  }
}

/// Changes what is kept: renames or recategorises it, or says how much there is (MC-9).
public struct UpdateStaple: ColumnCommand {
  /// What is kept.
  public var staple: Staple.ID
  /// What changes. Without an amount there is no unit, either.
  public var patch: Patch<StapleContent>

  /// Makes a command that changes nothing yet.
  public init(_ staple: Staple.ID) {
    self.staple = staple
    patch = Patch()
  }

  /// Makes a command that sets what the closure sets.
  ///
  /// - Throws: what it throws.
  public init(_ staple: Staple.ID, _ set: (inout StapleContent) throws -> Void) rethrows {
    self.staple = staple
    patch = try Patch(set)
  }

  /// "update_pantry_staple".
  public static var form: CommandForm {
    CommandForm(
      "update_pantry_staple", "Changes what the household keeps at home.", answer: "pantry_staple")
  }
  /// Nothing changes.
  public static var defaults: UpdateStaple { UpdateStaple(.blank) }

  /// `staple`, and what changes.
  public mutating func visitColumns<V: ColumnVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.columns(ThingCodec("staple"), &staple)
    try visitor.columns(&patch)
  }

  /// Decides the command.
  ///
  /// - Throws: ``Rejection``.
  public func decide(
    _ state: State, _ context: Context
  ) throws(Rejection) -> Decision<Staple.ID> {
    let old = try state.ownStaple(staple, context).content
    var content = patch.applied(to: old)
    if content.amount == nil, !patch.has("unit") { content.unit = nil }
    content = try content.checked()
    guard content != old else { return Decision([], staple) }
    return Decision([.stapleDescribed(StapleDescribed(staple: staple, content: content))], staple)
  }
}

/// Says that it is kept no more (MC-9); time travel finds it.
public struct RemoveStaple: ColumnCommand {
  /// What was kept.
  public var staple: Staple.ID

  /// Makes the command.
  public init(_ staple: Staple.ID) { self.staple = staple }

  /// "remove_pantry_staple".
  public static var form: CommandForm {
    CommandForm(
      "remove_pantry_staple", "Says that the household keeps it at home no more.",
      answer: "id, deleted")
  }
  /// Of no staple yet.
  public static var defaults: RemoveStaple { RemoveStaple(.blank) }

  /// `staple`.
  public mutating func visitColumns<V: ColumnVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.columns(ThingCodec("staple"), &staple)
  }

  /// Decides the command.
  ///
  /// - Throws: ``Rejection``.
  public func decide(
    _ state: State, _ context: Context
  ) throws(Rejection) -> Decision<Staple.ID> {
    _ = try state.ownStaple(staple, context)
    return Decision([.stapleRemoved(StapleRemoved(staple: staple))], staple)
  }
}

extension State {
  fileprivate func ownStaple(
    _ number: Staple.ID, _ context: Context
  ) throws(Rejection) -> Staple {
    try ownThing(number, in: staples, context, missing: .stapleNotFound).thing
  }
}

extension StapleContent {
  /// The content, or why it cannot be.
  func checked() throws(Rejection) -> StapleContent {
    var checked = self
    checked.name = try checkedLine(name, "name")
    checked.unit = try checkedUnit(unit, of: amount)
    return checked
  }
}

/// A unit without outer spaces, or nothing for an empty one; only something that is measured has one, and no amount
/// is below 0.
func checkedUnit(
  _ unit: String?, of amount: Rational?
) throws(Rejection) -> String? {
  if let amount, amount < .zero { throw .invalidAmount }
  guard let unit, !unit.trimmingSpace.isEmpty else { return nil }
  guard amount != nil else { throw .unitWithoutAmount }
  return try checkedLine(unit, "unit")
}
