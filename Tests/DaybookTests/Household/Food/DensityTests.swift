import Avro
import Daybook
import Testing

/// Volumes and masses of foods with a known density.
@Suite(.tags(.unit)) struct DensityTests {
  @Test(arguments: [
    ("2 cups flour", "g", "2 cups flour: about 250 g (USDA FoodData Central)"),
    ("500 g Mehl", "cups", "500 g Mehl: about 4 cups (USDA FoodData Central)"),
    ("1 EL unsalted butter", "g", "1 EL unsalted butter: about 14 g (USDA FoodData Central)"),
    ("1 tsp salt", "g", "1 tsp salt: about 6.1 g (USDA FoodData Central)"),
    ("½ l milk", "ml", "0.5 l milk = 500 ml"), ("1 lb nails", "g", "1 lb nails = 454 g"),
    ("2 cups", "ml", "2 cups = 473 ml"),
  ])
  func `a known food is converted, also across dimensions`(
    text: String, unit: String, said: String
  ) {
    #expect(FoodConversion(text, to: unit)?.sentence == said)
  }

  @Test(arguments: [
    ("2 cups almond flour", "g"), ("2 cups", "g"), ("2 cloves garlic", "g"), ("flour", "g"),
    ("2 cups flour", "cloves"), ("1 can milk", "ml"), ("", ""),
    ("1 cup a b c d e f g h flour", "g"),
  ])
  func `an unknown food or unit is not converted`(text: String, unit: String) {
    #expect(FoodConversion(text, to: unit) == nil)
  }

  @Test func `a conversion and back is the same, and exact where no density is needed`() throws {
    let cup = Quantity(.one, "cup")
    let grams = try #require(cup.converted(to: "g", of: "Zucker"))
    #expect(grams == Quantity(Rational(200), "g"))
    #expect(grams.converted(to: "cup", of: "sugar") == cup)
    #expect(
      FoodConversion("1 cup sugar", to: "g")?.json.encoded
        == #"{"food":"sugar","quantity":200,"unit":"g","is_exact":false,"source":"USDA FoodData Central"}"#
    )
  }
}
