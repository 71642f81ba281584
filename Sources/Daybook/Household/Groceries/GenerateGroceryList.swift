import Values
package import Calendar
import Kitchen
public import Avro

/// Generates a household's grocery list of a week from its meals, for the first time or anew (MC-7).
///
/// Generated again from the same input it changes nothing. Lines that members wrote stay. A checked or removed line
/// stays so, unless more must be bought than before, or more meals need an unspecified amount of it. A member's changes
/// of a planned line stay, too: its category, its name, its note, and its amount as long as the plan's amount is the
/// same.
public struct GenerateGroceryList: ColumnCommand {
  package var household: Household.ID
  /// A day of the week; the actor's today if not given.
  package var week: Day?

  public init(of household: Household.ID, week: Day? = nil) {
    self.household = household
    self.week = week
  }

  package static let form = CommandForm(
    "generate_grocery_list", "Makes a household's grocery list for a week from the planned meals.",
    answer: "grocery_list")
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
    let (begun, number, key) = try state.list(of: household, week: week, context)
    let list = state.lists[number]
    let plan = state.groceryPlan(of: household, week: week)
    let lines: [GroceryLine]
    do { lines = try plan.lines() } catch { throw Rejection(error) }
    let before = list?.planned ?? []
    let known = Dictionary(before.map { ($0.key, $0) }, uniquingKeysWith: { first, _ in first })
    let items = lines.filter { !$0.isCovered }.map { line in
      state.item(of: line, list: key, before: known) {
        list != nil && state.place(of: $0, in: number)?.isWritten == true
      }
    }
    let hash = plan.digest
    // A list that is requested again becomes current, even if another was made since.
    let isOutdated = state.currentList(of: household).map { $0.list.isMade(after: list) } ?? false
    let isSame = list?.mealPlanHash == hash && before.compactMap(\.plannedLine) == items
    guard !isSame || isOutdated || list?.isSetAside == true else { return Decision([], number) }
    let generated = GroceryListGenerated(list: number, mealPlanHash: hash, items: items)
    return Decision(begun + [.groceryListGenerated(generated)], number)
  }
}

extension BookState {
  /// The Monday of a day's week, or of the actor's today.
  func week(_ day: Day?, _ context: Context) throws(Rejection) -> Day {
    if let day { return MealWeek.monday(of: day) }
    let account = try actor(context).1
    guard let today = account.dayClock.day(of: context.at, in: context.zones) else {
      throw .unknownTimeZone(account.dayClock.timeZone)
    }
    return MealWeek.monday(of: today)
  }

  /// A household's list of a week with its key, and the event that creates it when it does not exist yet.
  func list(
    of household: Household.ID, week: Day, _ context: Context
  ) throws(Rejection) -> (begun: [Event], number: GroceryList.ID, key: Key) {
    let (found, _) = try ownHousehold(household, context)
    if let number = indexes.households.groceries.list(of: household, week: week),
      let list = lists[number]
    {
      return ([], number, list.key)
    }
    var key = GroceryList.key(of: found, week: week)
    // A deleted list keeps its key.
    while lists.number(of: key) != nil { key = Key(derivedFrom: ["list", key.description]) }
    let (created, number) = try beginning(key, of: household, week: week, context)
    return ([created], number, key)
  }

  /// The event that creates a household's list of a week under a free key.
  func beginning(
    _ key: Key, of household: Household.ID, week: Day, firstDay: Day? = nil, _ context: Context
  ) throws(Rejection) -> (created: Event, number: GroceryList.ID) {
    let (_, actor) = try ownHousehold(household, context)
    let created = GroceryListCreated(
      key: key, household: household, owner: actor, weekStart: week, firstDay: firstDay)
    return (.groceryListCreated(created), lists.nextNumber)
  }

  /// The line of a list for a line of the plan.
  fileprivate func item(
    of line: GroceryLine, list: Key, before: [Key: GroceryItem], isWritten: (Key) -> Bool
  ) -> PlannedItem {
    var item = PlannedItem()
    let keys = line.keys(list).map { key in
      // A client may have used the key for a line of its own.
      var key = key
      while isWritten(key) { key = Key(derivedFrom: ["grocery item", key.description]) }
      return key
    }
    let old = keys.compactMap { before[$0] }
    item.key = old.first?.key ?? keys[line.parts.count == 1 ? keys.count - 1 : 0]
    // A text that is needed once gets no number before it.
    let quantities = line.wanted.map(\.quantity).filter { quantity in
      line.identity.text == nil || quantity?.amount != .one
    }
    let first = quantities.first ?? nil
    item.planned = GroceryItemContent(
      name: line.name, amount: first?.amount, unit: first?.unit, category: line.category,
      others: quantities.dropFirst().map { GroceryAmount($0?.amount, $0?.unit) })
    item.content = item.planned
    item.sources = line.sources.compactMap { share in
      guard let meal = meals.number(of: share.meal), let recipe = recipes.number(of: share.recipe)
      else { return nil }
      return GrocerySource(
        meal: meal, recipe: recipe, date: share.date, servings: share.servings,
        amount: share.amount, unit: share.unit)
    }
    item.keep(what: old, isText: line.identity.text != nil)
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
  /// The line in the form of the generating event; nothing for a line that a member wrote.
  var plannedLine: PlannedItem? {
    guard let planned else { return nil }
    var line = PlannedItem()
    (line.key, line.planned, line.content) = (key, planned, content)
    (line.status, line.sources) = (status, sources)
    return line
  }
}

extension GroceryLine {
  /// The keys that the line may have on a list: that of its food in several units, and that of the food in each unit.
  fileprivate func keys(_ list: Key) -> [Key] {
    let key = { (identity: GroceryIdentity) in
      Key(derivedFrom: [
        "grocery item", list.description, identity.food ?? "", identity.dimension?.name ?? "",
        identity.text ?? "", identity.unit ?? "",
      ])
    }
    let former = parts.map { key($0.identity) }
    guard identity.text == nil else { return former }
    // Food without an amount has the key of the food itself.
    return [key(identity)] + former.filter { $0 != key(identity) }
  }
}

extension PlannedItem {
  /// Keeps what members did to the line, or to the former lines that it replaces.
  fileprivate mutating func keep(what old: [GroceryItem], isText: Bool) {
    guard let first = old.first, let was = first.planned else { return }
    content.note = first.content.note
    content.order = first.content.order
    if first.content.name != was.name { content.name = first.content.name }
    if first.content.category != was.category { content.category = first.content.category }
    let now = MeasuredNeed(of: [(planned, sources)], isText: isText)
    if old.count == 1, MeasuredNeed(of: [(was, first.sources)], isText: isText).matches(now) {
      (content.amount, content.unit) = (first.content.amount, first.content.unit)
      content.others = first.content.others
    }
    let alike = old.filter { $0.status == first.status }.compactMap { item in
      item.planned.map { (planned: $0, sources: item.sources) }
    }
    if !now.isMore(than: MeasuredNeed(of: alike, isText: isText)) { status = first.status }
  }
}

/// The amounts of something that the plan needs, by units that can be added.
private struct MeasuredNeed {
  private var amounts: [Dimension: Rational] = [:]
  /// Whether some is needed without an amount.
  private var hasSome = false
  /// The number of meals that need some without an amount. The line says "some" once, whatever the number.
  private var mealCount = 0
  /// Whether a sum exceeds 64 bits: then it cannot be compared.
  private var isUnknown = false

  /// Sums up lines, from their planned content and the needs of their meals.
  init(of lines: [(planned: GroceryItemContent, sources: [GrocerySource])], isText: Bool) {
    for amount in lines.flatMap(\.planned.amounts) {
      // A text without a number is needed once.
      guard let number = amount.amount ?? (isText ? .one : nil) else {
        hasSome = true
        continue
      }
      let dimension = KitchenUnit(amount.unit).dimension
      let part = Quantity(number, amount.unit).baseAmount
      if let sum = part?.adding(amounts[dimension] ?? .zero) {
        amounts[dimension] = sum
      } else {
        isUnknown = true
      }
    }
    mealCount = lines.flatMap(\.sources).count { $0.amount == nil }
  }

  /// Whether it needs more in any unit, or for more meals without an amount, or cannot be compared.
  func isMore(than other: MeasuredNeed) -> Bool {
    isUnknown || other.isUnknown || hasSome && !other.hasSome || mealCount > other.mealCount
      || amounts.contains { $0.value > other.amounts[$0.key] ?? .zero }
  }

  /// Whether a line has the same amounts.
  func matches(_ other: MeasuredNeed) -> Bool {
    !isUnknown && !other.isUnknown && hasSome == other.hasSome && amounts == other.amounts
  }
}

extension Dimension {
  /// A name that distinguishes it from other needs.
  fileprivate var name: String {
    switch self {
    case .count: "count"
    case .mass: "mass"
    case .volume: "volume"
    case .own(let unit): "own \(unit)"
    }
  }
}
