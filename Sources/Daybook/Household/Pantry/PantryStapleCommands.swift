package import Values
import Kitchen

/// Adds a food that the household keeps at home (MC-9). Repeated by a member with the same key and content it changes
/// nothing; without a key, the amount is added to that of the same food.
public struct AddPantryStaple: HouseholdCreationCommand {
  package var household: Household.ID
  /// The client's name for it; a fresh one unless given.
  package var key: Key?
  package var content: PantryStapleContent
  /// When it began by the clock of its app; now if that is not given, or lies in the future.
  package var begun: Instant?

  public init(in household: Household.ID, key: Key? = nil, _ content: PantryStapleContent) {
    self.household = household
    self.key = key
    self.content = content
  }

  package static let form = CommandForm(
    "add_pantry_staple", "Adds a staple to the pantry.", answer: "pantry_staple")
  /// A staple without a name.
  public static var defaults: AddPantryStaple { AddPantryStaple(in: .placeholder, .placeholder) }

  /// Decides the command; the answer is the staple's number.
  ///
  /// - Throws: ``Rejection``.
  public func decide(
    _ state: BookState, _ context: Context
  ) throws(Rejection) -> Decision<PantryStaple.ID> {
    let (_, actor) = try state.ownHousehold(household, context)
    let isNamed = key != nil
    let key = key ?? context.freshKey
    let content = try content.checked()
    if isNamed,
      let known = try state.known(
        key, in: state.pantryStaples, of: household, { $0.content == content })
    {
      return Decision([], known)
    }
    if !isNamed, let (number, old, sum) = state.kept(content, in: household) {
      guard sum != old else { return Decision([], number) }
      let described = PantryStapleDescribed(pantryStaple: number, content: sum)
      return Decision([.pantryStapleDescribed(described)], number)
    }
    return Decision(
      [
        .pantryStapleAdded(
          PantryStapleAdded(
            key: key, household: household, owner: actor, content: content,
            begun: context.begun(begun)))
      ], state.pantryStaples.nextNumber)
  }
}

/// Changes a pantry staple: its name, its category, or its amount (MC-9).
public struct UpdatePantryStaple: PatchCommand {
  package var thing: PantryStaple.ID
  /// The changes. Clearing the amount clears the unit.
  package var patch: Patch<PantryStapleContent>

  public init(_ pantryStaple: PantryStaple.ID) {
    thing = pantryStaple
    patch = Patch()
  }

  /// Makes a command that sets what the closure sets.
  ///
  /// - Throws: what it throws.
  public init(_ pantryStaple: PantryStaple.ID, _ set: (inout PantryStapleContent) throws -> Void)
    rethrows
  {
    thing = pantryStaple
    patch = try Patch(set)
  }

  package static let form = CommandForm(
    "update_pantry_staple", "Changes a staple of the pantry.", answer: "pantry_staple")
  /// Nothing changes.
  public static var defaults: UpdatePantryStaple { UpdatePantryStaple(.placeholder) }

  func events(
    _ found: PantryStaple, _ state: BookState, _ context: Context
  ) throws(Rejection) -> [Event] {
    var content = patch.applied(to: found.content)
    if patch.has("quantity"), content.amount == nil, !patch.has("unit") { content.unit = nil }
    content = try content.checked()
    guard content != found.content else { return [] }
    return [.pantryStapleDescribed(PantryStapleDescribed(pantryStaple: thing, content: content))]
  }
}

/// Removes a pantry staple (MC-9); as-of queries still find it.
public struct RemovePantryStaple: BareEntityCommand {
  package var thing: PantryStaple.ID

  public init(_ pantryStaple: PantryStaple.ID) { thing = pantryStaple }

  package static let form = CommandForm(
    "remove_pantry_staple", "Removes a staple from the pantry.",
    answer: "id, deleted")

  func events(_ found: PantryStaple, _ state: BookState, _ context: Context) -> [Event] {
    [.pantryStapleRemoved(PantryStapleRemoved(pantryStaple: thing))]
  }
}

extension PantryStapleContent {
  /// The checked content.
  ///
  /// - Throws: the rejection when it is not valid.
  func checked() throws(Rejection) -> PantryStapleContent {
    var checked = self
    checked.name = try checkedLine(name, "name")
    checked.unit = try checkedUnit(unit, of: amount)
    return checked
  }
}

/// The checked unit, trimmed; an empty one stays empty, because apps distinguish it from none. The amount must not be
/// negative.
func checkedUnit(
  _ unit: String?, of amount: Rational?
) throws(Rejection) -> String? {
  if let amount, amount < .zero { throw .invalidAmount }
  guard let unit else { return nil }
  return unit.trimmingSpace.isEmpty ? "" : try checkedLine(unit, "unit")
}

extension BookState {
  /// The household's staple to which more of a food can be added, and its content afterwards.
  fileprivate func kept(
    _ more: PantryStapleContent, in household: Household.ID
  ) -> (PantryStaple.ID, old: PantryStapleContent, sum: PantryStapleContent)? {
    let food = more.name.foldedName
    for (number, staple) in householdEntities(.pantryStaple, in: pantryStaples, of: household)
    where staple.content.name.foldedName == food {
      if let sum = staple.content.adding(more) { return (number, staple.content, sum) }
    }
    return nil
  }
}

extension PantryStapleContent {
  /// The content with more added; nothing when the amounts cannot be added. More of an uncounted food changes nothing.
  fileprivate func adding(_ more: PantryStapleContent) -> PantryStapleContent? {
    guard let amount, let added = more.amount else {
      return amount == nil && more.amount == nil ? self : nil
    }
    guard let sum = Quantity(amount, unit).adding(Quantity(added, more.unit)) else { return nil }
    var content = self
    (content.amount, content.unit) = (sum.amount, sum.unit)
    return content
  }
}
