public import Avro

extension Request {
  /// The commands about grocery lists and the pantry, by name.
  static let groceryTypes: [String: any RequestBody.Type] = [
    "generate_grocery_list": GenerateGroceryList.self, "add_grocery_item": AddGroceryItem.self,
    "update_grocery_item": UpdateGroceryItem.self, "check_grocery_item": CheckGroceryItem.self,
    "uncheck_grocery_item": UncheckGroceryItem.self, "remove_grocery_item": RemoveGroceryItem.self,
    "add_pantry_staple": AddStaple.self, "update_pantry_staple": UpdateStaple.self,
    "remove_pantry_staple": RemoveStaple.self,
  ]
}

extension GenerateGroceryList: RequestBody {
  /// `household`, `week_start`: any day of the week.
  public init(_ reader: inout RequestReader) throws {
    self.init(of: try reader.household(), week: try reader.optionalDay("week_start"))
  }

  /// The list's row.
  public func row(of answer: GroceryList.ID, in state: State) -> JSON {
    state.lists[answer].map { state.groceryListRow($0) } ?? .null
  }
}

extension AddGroceryItem: RequestBody {
  /// `household`, `week_start`, `key`, `name`, `quantity`, `unit`, `category` (other), `note`.
  public init(_ reader: inout RequestReader) throws {
    let household = try reader.household()
    self.init(
      in: household, week: try reader.optionalDay("week_start"),
      key: try reader.optionalKey("key"),
      GroceryItemContent(
        name: try reader.text("name"), amount: try reader.rationalEdit("quantity").applied(to: nil),
        unit: try reader.optionalText("unit"),
        category: try reader.categoryEdit().applied(to: .other),
        note: try reader.optionalText("note")))
  }

  /// The line's row.
  public func row(of answer: GroceryItemID, in state: State) -> JSON {
    state.groceryItemRow(answer)
  }
}

extension UpdateGroceryItem: RequestBody {
  /// `item`, and of `name`, `quantity`, `unit`, `category`, `note` those that change.
  public init(_ reader: inout RequestReader) throws {
    self.init(try reader.groceryItem())
    name = try reader.textEdit("name")
    amount = try reader.rationalEdit("quantity")
    unit = try reader.clearableEdit("unit")
    category = try reader.categoryEdit()
    note = try reader.clearableEdit("note")
  }

  /// The line's row.
  public func row(of answer: GroceryItemID, in state: State) -> JSON {
    state.groceryItemRow(answer)
  }
}

extension CheckGroceryItem: RequestBody {
  /// `item`.
  public init(_ reader: inout RequestReader) throws { self.init(try reader.groceryItem()) }

  /// The line's row.
  public func row(of answer: GroceryItemID, in state: State) -> JSON {
    state.groceryItemRow(answer)
  }
}

extension UncheckGroceryItem: RequestBody {
  /// `item`.
  public init(_ reader: inout RequestReader) throws { self.init(try reader.groceryItem()) }

  /// The line's row.
  public func row(of answer: GroceryItemID, in state: State) -> JSON {
    state.groceryItemRow(answer)
  }
}

extension RemoveGroceryItem: RequestBody {
  /// `item`.
  public init(_ reader: inout RequestReader) throws { self.init(try reader.groceryItem()) }

  /// The key of what is gone.
  public func row(of answer: GroceryItemID, in state: State) -> JSON {
    ["id": .key(answer.key), "deleted": true]
  }
}

extension RequestReader {
  /// The line that `item` names, on a list of a household that the actor is a member of.
  fileprivate mutating func groceryItem() throws -> GroceryItemID {
    guard let key = try optionalKey("item") else { throw Rejection.missingField("item") }
    let household = try optionalKey("household").map { state.households.number(of: $0) }
    guard let actor else { throw Rejection.actorMissing }
    guard state.accounts[actor]?.isErased == false else {
      throw Rejection.accountNotFound
    }
    let found = state.householdIndex.groceries.lines(of: key).first { line in
      (household == nil || household == line.household)
        && state.household(line.household, for: actor) != nil
        && state.lists[line.list]?[line.place].status != .removed
    }
    guard let found else { throw Rejection.groceryItemNotFound }
    return GroceryItemID(found.list, key)
  }

  fileprivate mutating func categoryEdit() throws(Rejection) -> Edit<GroceryCategory> {
    try edit("category", GroceryCategory.words) {
      $0.text.flatMap { GroceryCategory(rawValue: $0) }
    }
  }
}

extension GroceryCategory {
  /// The categories, as the end of a sentence.
  public static let words = "one of \(allCases.map(\.rawValue).joined(separator: ", "))"
}
