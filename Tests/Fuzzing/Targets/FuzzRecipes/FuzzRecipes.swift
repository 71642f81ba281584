import Daybook
import DaybookStore
import Fuzzing
import Journal

/// Pages and JSON-LD with recipes, and lines of ingredients. A household stores each recipe that is read, or refuses it
/// with a sentence; a stored recipe has a row in JSON.
@c(LLVMFuzzerTestOneInput)
public func fuzzRecipes(_ start: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
  let input = Input(start, count: count)
  let text = String(decoding: input.rest, as: UTF8.self)
  for line in text.split(separator: "\n").prefix(20) { check(String(line)) }
  guard let recipes = try? RecipeImport.recipes(inText: text) else { return 0 }
  let (book, ada, home) = succeed("a household is made") {
    let clock = BookClock(
      now: { Instant(clamping: 1_773_144_000_000) }, freshKey: { Key(high: 0x4000, low: 1 << 63) })
    let book = try Book(at: "book", storage: MemoryStorage(), clock: clock)
    let ada = try book.record(CreateAccount(key: Key(high: 1, low: 1), timeZone: "Europe/Berlin"))
    let home = try book.record(
      CreateHousehold(key: Key(high: 1, low: 2), name: "Home"), by: ada)
    return (book, ada, home)
  }
  for (number, recipe) in recipes.prefix(20).enumerated() {
    let command = CreateRecipe(
      in: home, key: Key(high: 2, low: UInt64(number)), recipe.content)
    do {
      let answer = try book.record(command, by: ada)
      let state = book.read { $0 }
      guard let kept = state.recipes[answer] else { fatalError("a recipe that was kept is there") }
      checkJSON(kept.row(in: state))
      _ = kept.content.scaled(to: Rational(7, over: 3))
    } catch let rejection as Rejection {
      hold(!rejection.description.isEmpty, "a refusal says why")
    } catch { fatalError("\(error)") }
  }
  return 0
}

/// A line as an ingredient, a quantity and a number.
private func check(_ line: String) {
  let ingredient = Ingredient(parsing: line)
  hold(ingredient.text == line, "a line stays as it was written")
  if let amount = ingredient.amount {
    hold(Rational(amount.description) == amount, "a number reads back as it was")
    _ = Quantity(amount, ingredient.unit).shown
  }
  if let number = Rational(line) { hold(Rational(number.description) == number, "so does a line") }
  _ = Quantity(line)?.shown
}
