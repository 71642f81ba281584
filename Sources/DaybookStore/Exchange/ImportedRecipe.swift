package import Avro
package import Calendar
package import Daybook
package import Kitchen
import Values

/// What an import did with a recipe.
package enum ImportedRecipe: Sendable {
  /// The household has it, with its row; if it had it before, it was left alone.
  case kept(RecipeImport, row: JSON, wasKnown: Bool)
  /// It, or the whole file, exceeds a limit and is left out: the file, the recipe's title if that
  /// was read, and the reason.
  case leftOut(file: String, title: String?, Refusal)

  /// The limit that was exceeded.
  package struct Refusal: Sendable, Hashable {
    /// A stable word for programs.
    package var code: String
    /// The field that is too long, if there is one.
    package var field: String?
    /// A sentence that states the limit.
    package var message: String
  }

  /// Whether the household has it now.
  package var isKept: Bool {
    switch self {
    case .kept: true
    case .leftOut: false
    }
  }

  /// The answer as JSON.
  package func json(trying isTrial: Bool) -> JSON {
    switch self {
    case .kept(let recipe, let row, let wasKnown):
      return [
        "ok": row, "left_out": .array(recipe.leftOut.map { .string($0) }),
        "was_known": .bool(wasKnown), "dry_run": .bool(isTrial),
      ]
    case .leftOut(let file, let title, let refusal):
      var members: [JSON.Member] = [.init("file", .string(file))]
      if let title { members.append(.init("title", .string(title))) }
      members.append(.init("dry_run", .bool(isTrial)))
      return RequestOutcome(
        code: refusal.code, field: refusal.field, message: refusal.message, beside: members
      ).json
    }
  }
}

extension Book {
  /// Records recipes of other programs for a household, in one commit. What an earlier import
  /// recorded is left alone. What exceeds a limit is left out, and the others are recorded.
  ///
  /// - Parameters:
  ///   - found: The recipes.
  ///   - household: The household that gets them.
  ///   - account: The account that acts.
  ///   - at: The book's clock. By default the machine's clock, but never before the last entry.
  ///   - isTrial: Whether to record nothing and only report what would be done.
  /// - Returns: The result for each recipe, in the same order.
  /// - Throws: ``ExchangeError`` where one is refused for another reason, ``Rejection``, or ``JournalError``; then
  ///   nothing changed.
  @discardableResult
  package func importRecipes(
    _ found: [RecipeFiles.Found], into household: Household.ID, for account: Account.ID,
    at: Instant? = nil, trying isTrial: Bool = false
  ) throws -> [ImportedRecipe] {
    try transaction(trying: isTrial) { (batch: inout Batch) in
      try found.map { try batch.recordRecipe($0, into: household, by: account, at: at) }
    }
  }
}

extension Batch {
  /// Records a recipe, or leaves it out when it exceeds a limit.
  fileprivate mutating func recordRecipe(
    _ found: RecipeFiles.Found, into household: Household.ID, by account: Account.ID, at: Instant?
  ) throws -> ImportedRecipe {
    switch found {
    case .overLimit(let file, let reason):
      return .leftOut(file: file, title: nil, .init(code: "not_imported", message: reason))
    case .recipe(let recipe, let file):
      do {
        return try keep(recipe, in: household, by: account, at: at)
      } catch let rejection as Rejection {
        let title = Limit.title.cut(recipe.content.title)
        switch rejection.kind {
        case .limit:
          let refusal = ImportedRecipe.Refusal(
            code: rejection.code, field: rejection.field, message: rejection.description)
          return .leftOut(file: file, title: title, refusal)
        case .invalid: throw ExchangeError.refusedRecipe(file: file, title: title, rejection)
        default: throw rejection
        }
      }
    }
  }

  /// Records a recipe, unless it was imported before: it may have been changed here since, and
  /// stays so.
  private mutating func keep(
    _ recipe: RecipeImport, in household: Household.ID, by account: Account.ID, at: Instant?
  ) throws -> ImportedRecipe {
    let key = recipe.key(in: state.households[household], of: state)
    let command = CreateRecipe(in: household, key: key, recipe.content)
    let known = state.recipes.number(of: key)
    let number = try known ?? record(command, by: account, at: at)
    return .kept(recipe, row: command.row(of: number, in: state), wasKnown: known != nil)
  }
}
