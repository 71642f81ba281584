import ArgumentParser
import Avro
import Daybook

struct Convert: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "convert",
    abstract: "Say an amount of a food in another unit.",
    discussion: """
      daybook convert "2 cups flour" g
      daybook convert "½ l milk" cups

      Within masses and within volumes it is exact. A volume becomes a mass where it is known how heavy the food is: of \
      some dozens of foods, in English and German; it is then as near as cups are.
      """)

  @OptionGroup var options: BookOptions

  @Argument(help: "How much of what: \"2 cups flour\".")
  var amount: String

  @Argument(help: "The unit: g, kg, ml, cups, EL, …")
  var unit: String

  func run() throws {
    guard let found = FoodConversion(amount, to: unit) else {
      throw Failure(
        "not_convertible",
        """
        \"\(amount)\" cannot be said in \(unit): give an amount with its unit, and of what; it is not known of every food \
        how heavy it is.
        """)
    }
    Output.line(options.json ? found.json.encoded : found.sentence)
  }
}
