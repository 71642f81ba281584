import ArgumentParser
import Avro
import Daybook

struct Convert: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "convert",
    abstract: "Convert an amount of a food to another unit.",
    discussion: """
      daybook convert "2 cups flour" g
      daybook convert "½ l milk" cups

      Conversions between masses, and between volumes, are exact. A volume is converted to a \
      mass only if the density of the food is known: for some dozens of foods, in English and \
      German. The result is then as accurate as cups are.
      """)

  @OptionGroup var options: BookOptions

  @Argument(help: "How much of what: \"2 cups flour\".")
  var amount: String

  @Argument(help: "The unit: g, kg, ml, cups, EL, …")
  var unit: String

  func run() throws {
    guard let found = FoodConversion(amount, to: unit) else {
      throw CommandFailure(
        "not_convertible",
        """
        \"\(amount)\" cannot be converted to \(unit): give an amount, a unit and a food; the \
        density of some foods is not known.
        """)
    }
    Output.line(options.json ? found.json.encoded : found.sentence)
  }
}
