import Values
public import Calendar
import Kitchen
public import Avro

/// Makes a household's grocery list of a week from its meals, or makes it anew (MC-7).
///
/// Made again from the same it changes nothing. What members wrote stays; a check stays, and what was taken off the
/// list stays off it, unless more of it is to be bought than before. What a member changed of a planned line stays,
/// too: its category, its name, its note, and its amount as long as the plan says the same.
public struct GenerateGroceryList: ColumnCommand {
  /// The household.
  public var household: Household.ID
  /// A day of the week; the actor's today unless given.
  public var week: Day?

  /// Makes the command.
  public init(of household: Household.ID, week: Day? = nil) {
    self.household = household
    self.week = week
  }

  /// "generate_grocery_list".
  public static var form: CommandForm {
    CommandForm(
      "generate_grocery_list", "Makes a household's grocery list of a week from its meals.",
      answer: "grocery_list")
  }
  /// This week.
  public static var defaults: GenerateGroceryList { GenerateGroceryList(of: .placeholder) }

  /// `household`, `week_start`.
  public mutating func visitColumns<V: ColumnVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.columns(HouseholdCodec(), &household)
    try visitor.column(
      "week_start", &week, [.doc("any day of the week; today unless given")])
  }

  /// Decides the command; the answer is the list's number.
  ///
  /// - Throws: ``Rejection``.
  public func decide(
    _ state: BookState, _ context: Context
  ) throws(Rejection) -> Decision<GroceryList.ID> {
    _ = try state.ownHousehold(household, context)
    let week = try state.week(week, context)
    let (begun, number) = try state.list(of: household, week: week, context)
    let list = state.lists[number]
    let plan = state.groceryPlan(of: household, week: week)
    let lines: [GroceryLine]
    do { lines = try plan.lines() } catch { throw Rejection(error) }
    let key = GroceryList.key(of: state.households[household], week: week)
    let before = list?.planned ?? []
    let known = Dictionary(before.map { ($0.key, $0) }, uniquingKeysWith: { first, _ in first })
    let items = lines.filter { !$0.isCovered }.map { line in
      state.item(of: line, list: key, before: known) {
        list != nil && state.place(of: $0, in: number)?.isWritten == true
      }
    }
    let hash = plan.digest
    // A list that is asked for again is the one to shop by, though another was made since.
    let isOutdated = state.currentList(of: household).map { $0.list.isMade(after: list) } ?? false
    let isSame = list?.mealPlanHash == hash && before.compactMap(\.plannedLine) == items
    guard !isSame || isOutdated else { return Decision([], number) }
    let generated = GroceryListGenerated(list: number, mealPlanHash: hash, items: items)
    return Decision(begun + [.groceryListGenerated(generated)], number)
  }
}

extension BookState {
  /// The Monday of a week, or of the actor's today.
  func week(_ day: Day?, _ context: Context) throws(Rejection) -> Day {
    if let day { return MealWeek.monday(of: day) }
    let account = try actor(context).1
    guard let today = account.dayClock.day(of: context.at, in: context.zones) else {
      throw .unknownTimeZone(account.dayClock.timeZone)
    }
    return MealWeek.monday(of: today)
  }

  /// A household's list of a week, and the event that begins it when there is none yet.
  func list(
    of household: Household.ID, week: Day, _ context: Context
  ) throws(Rejection) -> ([Event], GroceryList.ID) {
    let (found, actor) = try ownHousehold(household, context)
    let key = GroceryList.key(of: found, week: week)
    if let number = lists.number(of: key) { return ([], number) }
    let created = GroceryListCreated(
      key: key, household: household, owner: actor, weekStart: week)
    return ([.groceryListCreated(created)], lists.nextNumber)
  }

  /// The line of a list that comes of a line of the plan.
  fileprivate func item(
    of line: GroceryLine, list: Key, before: [Key: GroceryItem], isWritten: (Key) -> Bool
  ) -> PlannedItem {
    let identity = line.identity
    var item = PlannedItem()
    item.key = Key(derivedFrom: [
      "grocery item", list.description, identity.food ?? "", identity.dimension?.name ?? "",
      identity.text ?? "", identity.unit ?? "",
    ])
    // A client may have given a line of its own any key.
    while isWritten(item.key) {
      item.key = Key(derivedFrom: ["grocery item", item.key.description])
    }
    // A text that is taken once needs no number before it.
    let quantity = identity.text != nil && line.quantity?.amount == .one ? nil : line.quantity
    item.planned = GroceryItemContent(
      name: line.name, amount: quantity?.amount, unit: quantity?.unit, category: line.category)
    item.content = item.planned
    item.sources = line.sources.compactMap { share in
      guard let meal = meals.number(of: share.meal), let recipe = recipes.number(of: share.recipe)
      else { return nil }
      return GrocerySource(
        meal: meal, recipe: recipe, date: share.date, servings: share.servings,
        amount: share.amount, unit: share.unit)
    }
    if let old = before[item.key] { item.keep(what: old) }
    return item
  }
}

extension Rejection {
  fileprivate init(_ error: GroceryPlanError) {
    switch error {
    case .recipeTakesItself: self = .recipeInItself
    case .tooDeep: self = .recipesTooDeep
    case .amountTooLarge(let name): self = .amountTooLarge(name)
    }
  }
}

extension GroceryItem {
  /// The line as an event of making the list says it; a line that a member wrote has none.
  fileprivate var plannedLine: PlannedItem? {
    guard let planned else { return nil }
    var line = PlannedItem()
    (line.key, line.planned, line.content) = (key, planned, content)
    (line.status, line.sources) = (status, sources)
    return line
  }
}

extension PlannedItem {
  /// Takes over what members did to the line.
  fileprivate mutating func keep(what old: GroceryItem) {
    guard let was = old.planned else { return }
    content.note = old.content.note
    if old.content.name != was.name { content.name = old.content.name }
    if old.content.category != was.category { content.category = old.content.category }
    let (before, now) = (was.quantity, planned.quantity)
    if before?.isAsMuch(as: now) ?? (now == nil) {
      (content.amount, content.unit) = (old.content.amount, old.content.unit)
    }
    if !(now?.isMore(than: before) ?? false) { status = old.status }
  }
}

extension Quantity {
  /// Both in what their dimension is counted in, if that is one.
  private func inBase(with other: Quantity?) -> (Rational, Rational)? {
    guard let other else { return nil }
    let (unit, otherUnit) = (KitchenUnit(unit), KitchenUnit(other.unit))
    guard unit.dimension == otherUnit.dimension, let amount = amount.multiplied(by: unit.size),
      let otherAmount = other.amount.multiplied(by: otherUnit.size)
    else { return nil }
    return (amount, otherAmount)
  }

  fileprivate func isAsMuch(as other: Quantity?) -> Bool {
    inBase(with: other).map { $0.0 == $0.1 } ?? false
  }

  /// Whether it is more, or cannot be compared.
  fileprivate func isMore(than other: Quantity?) -> Bool {
    inBase(with: other).map { $0.0 > $0.1 } ?? true
  }
}

extension Dimension {
  /// A name that tells it from the others.
  fileprivate var name: String {
    switch self {
    case .count: "count"
    case .mass: "mass"
    case .volume: "volume"
    case .own(let unit): "own \(unit)"
    }
  }
}
