import Avro
import Daybook
import PropertyTesting
import Testing

@testable import Kitchen

@Suite(.tags(.unit)) struct IngredientLineTests {
  @Test(arguments: ["x 1, ", "a, ", "x 1 1 ", "卵1", "x 1 g, 1 g ", "x: 1 "])
  func `parsing a long line takes a bounded number of attempts`(part: String) {
    for length in [1000, 10_000] {
      let line = String(String(repeating: part, count: length).prefix(length))
      let texts = IngredientLineReader(line).textsBeforeNotes
      #expect(texts.count <= 3)
      for (text, _) in texts {
        #expect(IngredientLineReader.beginnings(in: text).count <= 80)
      }
    }
    let food = String(repeating: "sehr ", count: 150) + "feines Mehl"
    let found = Ingredient(parsing: food + " 500 g")
    #expect(found.amount == Rational(500) && found.unit == "g" && found.food == food)
  }

  @Test(.enabled(if: Food.has("ingredient_lines.json"), "../shared/fixtures is not here"))
  func `lines of another parser's corpus are parsed alike (MC-4)`() throws {
    let lines = try #require(try JSON(parsing: Food.text("ingredient_lines.json")).elements)
    #expect(lines.count == 33)
    for line in lines {
      let text = try #require(line["text"]?.text)
      let amount = try #require(line["amount"].flatMap { Rational(json: $0) })
      let found = Ingredient(parsing: text)
      #expect(found.text == text)
      #expect((found.amount ?? .zero) == amount, "\(text)")
      #expect(found.unit == line["unit"]?.text, "\(text)")
      #expect(found.food == line["food"]?.text, "\(text)")
      #expect((found.note ?? "") == line["note"]?.text, "\(text)")
    }
  }

  @Test(
    arguments: [
      ("1/2 cup sugar, sifted", "1/2", "cup", "sugar", "sifted"),
      ("2¼ l Wasser", "9/4", "l", "Wasser", nil),
      ("1 1/2 Tbsp. olive oil", "3/2", "Tbsp.", "olive oil", nil),
      ("1,5 kg Kartoffeln, festkochend", "3/2", "kg", "Kartoffeln", "festkochend"),
      ("2 fl oz lime juice", "2", "fl oz", "lime juice", nil),
      ("2 cups of water", "2", "cups", "water", nil),
      ("a pinch of salt", "1", "pinch", "salt", nil),
      ("eine Prise Salz", "1", "Prise", "Salz", nil),
      ("ein halbes Pfund Butter", "1/2", "Pfund", "Butter", nil),
      ("eine halbe Tasse Zucker", "1/2", "Tasse", "Zucker", nil),
      ("ein halber Liter Milch", "1/2", "Liter", "Milch", nil),
      ("eine halbe Zwiebel", "1/2", nil, "Zwiebel", nil),
      ("1 halbe Zwiebel", "1/2", nil, "Zwiebel", nil),
      ("a half cup sugar", "1/2", "cup", "sugar", nil),
      ("1 half cup sugar", "1/2", "cup", "sugar", nil),
      ("2 and a half cups flour", "5/2", "cups", "flour", nil),
      ("two and a half cups of flour", "5/2", "cups", "flour", nil),
      ("1 cup and a half sugar", "3/2", "cup", "sugar", nil),
      ("a dozen and a half eggs", "3/2", "dozen", "eggs", nil),
      ("2 und eine halbe Tasse Mehl", "5/2", "Tasse", "Mehl", nil),
      ("1 cup half and half", "1", "cup", "half and half", nil),
      ("1 Dose halbe Birnen", "1", "Dose", "halbe Birnen", nil),
      ("a cup half and half", "1", "cup", "half and half", nil),
      ("half a lemon", nil, nil, "half a lemon", nil),
      ("2 half-baked rolls", "2", nil, "half-baked rolls", nil),
      ("salt and a half lemon", nil, nil, "salt and a half lemon", nil),
      ("an apple", nil, nil, "an apple", nil),
      ("ca. 200 g Mehl", "200", "g", "Mehl", "ca."),
      ("400 g (1 can) tomatoes, chopped", "400", "g", "tomatoes", "1 can, chopped"),
      ("1 loaf of bread", "1", "loaf", "bread", nil),
      ("• 3 eggs", "3", nil, "eggs", nil),
      ("- 2 tsp vanilla", "2", "tsp", "vanilla", nil),
      ("500 g", "500", "g", nil, nil),
      ("1 1/0 cup x", "1", nil, "1/0 cup x", nil),
      ("3 cloves", "3", nil, "cloves", nil),
      ("3", "3", nil, nil, nil),
      ("1-inch piece ginger", nil, nil, "1-inch piece ginger", nil),
      ("3% milk", nil, nil, "3% milk", nil),
      ("7up", nil, nil, "7up", nil),
      ("Salt", nil, nil, "Salt", nil),
      ("2 tomatoes (large, ripe), peeled", "2", nil, "tomatoes (large, ripe)", "peeled"),
      ("1 (open bracket", "1", nil, "(open bracket", nil),
      ("(nothing else)", nil, nil, "(nothing else)", nil),
      ("", nil, nil, nil, nil),
      (" , ", nil, nil, nil, nil),
    ] as [(String, String?, String?, String?, String?)])
  func `a line is split into amount, unit, food and note (MC-4)`(
    text: String, amount: String?, unit: String?, food: String?, note: String?
  ) {
    let expected = Ingredient(
      text: text, amount: amount.flatMap { Rational($0) }, unit: unit, food: food, note: note)
    #expect(Ingredient(parsing: text) == expected)
  }

  @Test(
    arguments: [
      ("Mehl 500 g", "500", "g", "Mehl", nil),
      ("砂糖 50g", "50", "g", "砂糖", nil),
      ("卵 4個", "4", "個", "卵", nil),
      ("卵4個", "4", "個", "卵", nil),
      ("醤油 大さじ2", "2", "大さじ", "醤油", nil),
      ("酒大さじ1と1/2", "3/2", "大さじ", "酒", nil),
      ("薄力粉　２００ｇ", "200", "g", "薄力粉", nil),
      ("にんにく（みじん切り） 1片", "1", "片", "にんにく", "みじん切り"),
      ("塩 少々", nil, nil, "塩", "少々"),
      ("Pane (raffermo) 80 g", "80", "g", "Pane", "raffermo"),
      ("Gouda 5g", "5", "g", "Gouda", nil),
      ("Butter 100 g (weich)", "100", "g", "Butter", "weich"),
      ("Butter (100 g)", "100", "g", "Butter", nil),
      ("Flour, 2 cups, sifted", "2", "cups", "Flour", "sifted"),
      ("Mehl, Type 550, 500 g", "500", "g", "Mehl", "Type 550"),
      ("Zucker: ca. 1 1/2 EL", "3/2", "EL", "Zucker", "ca."),
      ("Sahne 30% 200 ml", "200", "ml", "Sahne 30%", nil),
      ("Eier 3", "3", nil, "Eier", nil),
      ("Eggs x 2", "2", nil, "Eggs", nil),
      ("Sale q.b.", nil, nil, "Sale", "q.b."),
      ("Uova 3, sbattute", "3", nil, "Uova", "sbattute"),
      ("Mehl Type 405", nil, nil, "Mehl Type 405", nil),
      ("Farina tipo 00", nil, nil, "Farina tipo 00", nil),
      ("WD 40", nil, nil, "WD 40", nil),
      ("Juice of 1", nil, nil, "Juice of 1", nil),
      ("flour, plus 2 tbsp", nil, nil, "flour", "plus 2 tbsp"),
      ("butter, cut into 2", nil, nil, "butter", "cut into 2"),
    ] as [(String, String?, String?, String?, String?)])
  func `an amount may follow its food (MC-4)`(
    text: String, amount: String?, unit: String?, food: String?, note: String?
  ) {
    let expected = Ingredient(
      text: text, amount: amount.flatMap { Rational($0) }, unit: unit, food: food, note: note)
    #expect(Ingredient(parsing: text) == expected)
  }

  @Test(arguments: [
    "▢ 3 eggs", "☐ 3 eggs", "| 3 eggs", "_ 3 eggs", "| 3 | eggs |", "- [ ] 3 eggs", "[x] 3 eggs",
    "✓ 3 eggs", "* 3 eggs*", "_3 eggs_", "\u{FEFF}□\u{A0}3 eggs",
  ])
  func `list markers are not part of a line`(text: String) {
    #expect(
      Ingredient(parsing: text) == Ingredient(text: text, amount: Rational(3), food: "eggs"))
  }

  @Test(
    arguments: [
      ("1.000 g Mehl", "1000", "g"), ("1 000 g Mehl", "1000", "g"), ("1,000 g flour", "1000", "g"),
      ("1\u{202F}500 ml lait", "1500", "ml"), ("1'250 g Mehl", "1250", "g"),
      ("Mehl 1.500 g", "1500", "g"), ("1,500 kg Mehl", "3/2", "kg"),
      ("1.500 kg flour", "3/2", "kg"),
      ("1.000.000 mg salt", "1000000", "mg"), ("0,125 l Milch", "1/8", "l"),
      ("1.500 cups milk", "3/2", "cups"), ("1,500 cups milk", nil, nil), ("2.5 g salt", "5/2", "g"),
    ] as [(String, String?, String?)])
  func `the unit decides between a thousands separator and a decimal point (MC-4)`(
    text: String, amount: String?, unit: String?
  ) {
    let found = Ingredient(parsing: text)
    #expect(found.amount == amount.flatMap { Rational($0) })
    #expect(found.unit == unit)
  }

  @Test(
    arguments: [
      ("2-3 cloves garlic", "2", "3", "cloves", "garlic", "2-3"),
      ("2 bis 3 EL Öl", "2", "3", "EL", "Öl", "2 bis 3"),
      ("2 – 3 EL Öl, kalt", "2", "3", "EL", "Öl", "2 – 3, kalt"),
      ("600-800g Kürbis", "600", "800", "g", "Kürbis", "600-800"),
      ("ca. 1½ bis 2 l Wasser", "3/2", "2", "l", "Wasser", "ca., 1½ bis 2"),
      ("2 à 3 gousses d'ail", "2", "3", "gousses", "ail", "2 à 3"),
      ("卵 2〜3個", "2", "3", "個", "卵", "2〜3"),
      ("1.000-1.200 g Mehl", "1000", "1200", "g", "Mehl", "1.000-1.200"),
      ("1-1/2 cups milk", "3/2", nil, "cups", "milk", nil),
      ("3-2 eggs", "3", nil, nil, "eggs", "3-2"),
    ] as [(String, String, String?, String?, String, String?)])
  func `a range keeps both its ends (MC-4)`(
    text: String, amount: String, upper: String?, unit: String?, food: String, note: String?
  ) {
    let expected = Ingredient(
      text: text, amount: Rational(amount), upperAmount: upper.flatMap { Rational($0) }, unit: unit,
      food: food, note: note)
    #expect(Ingredient(parsing: text) == expected)
    let twice = Ingredient(parsing: text).scaled(by: Rational(2))
    #expect(twice?.upperAmount == expected.upperAmount?.multiplied(by: Rational(2)))
  }

  @Test(
    arguments: [
      ("2 brown onions", "2", nil, "brown onions", nil),
      ("2 rote Zwiebeln", "2", nil, "rote Zwiebeln", nil),
      ("1 bay leaf", "1", nil, "bay leaf", nil),
      ("2 chicken breasts, diced", "2", nil, "chicken breasts", "diced"),
      ("2 oignons rouges", "2", nil, "oignons rouges", nil),
      ("2 cipolle rosse", "2", nil, "cipolle rosse", nil),
      ("3 tomates maduros", "3", nil, "tomates maduros", nil),
      ("2 onions finely chopped", "2", nil, "onions", "finely chopped"),
      ("salt to taste", nil, nil, "salt", "to taste"),
      ("1 small bunch parsley", "1", "bunch", "parsley", "small"),
      ("2 gehäufte EL Mehl", "2", "EL", "Mehl", "gehäufte"),
      ("2 large eggs", "2", "large", "eggs", nil),
      ("2 400 g tins tomatoes", "2", "tins", "tomatoes", "400 g"),
      ("1 14-oz can beans", "1", "can", "beans", "14-oz"),
      ("200g/7oz plain flour", "200", "g", "plain flour", "7oz"),
      ("3 cuillères à soupe d'huile d'olive", "3", "cuillères à soupe", "huile d'olive", nil),
      ("2 c. à s. de sucre", "2", "c. à s.", "sucre", nil),
      ("2 cucchiai di olio", "2", "cucchiai", "olio", nil),
      ("1 cucharadita de sal", "1", "cucharadita", "sal", nil),
      ("2 msk smör", "2", "msk", "smör", nil), ("2 eetlepels olie", "2", "eetlepels", "olie", nil),
      ("zwei EL Öl", "2", "EL", "Öl", nil), ("zwei Eier", "2", nil, "Eier", nil),
      ("two eggs", "2", nil, "eggs", nil),
      ("five spice powder", nil, nil, "five spice powder", nil),
      ("2 cm Ingwer", "2", "cm", "Ingwer", nil),
      ("2 Zehe/n Knoblauch", "2", "Zehe/n", "Knoblauch", nil),
      ("1 kl. Dose Mais", "1", "Dose", "Mais", "kl."),
      ("2 Pakete à 500 g Spaghetti", "2", "Pakete", "Spaghetti", "à 500 g"),
      ("1 cup plus 2 tablespoons flour", "18", "tablespoons", "flour", nil),
      ("etwas Salz", nil, nil, "Salz", "etwas"), ("some salt", nil, nil, "salt", "some"),
      ("lite peppar", nil, nil, "peppar", "lite"),
    ] as [(String, String?, String?, String?, String?)])
  func `an unknown unit belongs to the food (MC-4)`(
    text: String, amount: String?, unit: String?, food: String?, note: String?
  ) {
    let expected = Ingredient(
      text: text, amount: amount.flatMap { Rational($0) }, unit: unit, food: food, note: note)
    #expect(Ingredient(parsing: text) == expected)
  }

  @Test func `no line is refused, and its text is kept (MC-4)`() {
    let report = check("no line is refused", Food.lines, cases: 5_000) { line in
      try expectEqual(Ingredient(parsing: line).text, line)
    }
    #expect(report.passed, "\(report)")
  }
}
