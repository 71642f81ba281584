import Avro
import Daybook
import Testing

@Suite(.tags(.unit)) struct KitchenUnitTests {
  /// Other programs round their factors, in the first case by a part in a million: exactly, 1000 imperial gallons are
  /// 1200.9499… US gallons.
  @Test(.enabled(if: Food.has("unit_conversions.json"), "../shared/fixtures is not here"))
  func `conversions match another program's to five digits, but exactly (MC-7)`() throws {
    for conversion in try #require(JSON(parsing: Food.text("unit_conversions.json")).elements) {
      let fields = try #require(conversion.elements).compactMap(\.text)
      let amount = try #require(Rational(fields[2]))
      let expected = try #require(Double(fields[3]))
      let exact = try #require(Quantity(amount, fields[0]).converted(to: fields[1])?.amount)
      let found = Double(exact.numerator) / Double(exact.denominator)
      #expect(abs(found / expected - 1) < 1e-6, "\(fields)")
      #expect(Quantity(exact, fields[1]).converted(to: fields[0])?.amount == amount)
    }
  }

  @Test(arguments: [
    ("1", "gallon", "cup", "16"), ("1", "cup", "tbsp", "16"), ("1", "tablespoon", "tsp", "3"),
    ("1", "quart", "pint", "2"), ("1", "lb", "oz", "16"),
    ("1", "imperial gallon", "imperial pint", "8"),
    ("1", "lb", "g", "45359237/100000"), ("1", "gallon", "ml", "473176473/125000"),
    ("1", "imperial gallon", "l", "454609/100000"), ("1", "EL", "TL", "3"),
    ("1", "Pfund", "g", "500"),
    ("2", "Dutzend", "Stück", "24"), ("3", "cloves", "Zehe", "3"), ("2", "Kisten", "kisten", "2"),
  ])
  func `conversion factors are the legal ones (MC-7)`(
    amount: String, from: String, to: String, result: String
  )
    throws
  {
    let quantity = Quantity(try #require(Rational(amount)), from)
    #expect(quantity.converted(to: to)?.amount == Rational(result))
  }

  @Test(arguments: [
    ("ml", "g"), ("cup", "oz"), ("clove", "can"), ("box", "crate"), ("g", ""), ("fl oz", "oz"),
  ])
  func `units of different dimensions are not converted (MC-7)`(from: String, to: String) {
    #expect(Quantity(.one, from).converted(to: to) == nil)
  }

  @Test(arguments: [
    ["g", "G", "gram", "grams", "Gramm", "g.", " g "],
    ["tbsp", "Tbsp.", "T", "tablespoons", "Tbs"],
    ["tsp", "t", "Teaspoon"], ["EL", "el", "Esslöffel", "Eßlöffel"], ["TL", "Tl", "tl"],
    ["cup", "c", "C", "Cups"], ["l", "L", "Liter", "litres"],
    ["fl oz", "Fluid  Ounces", "fluid_ounce"],
    ["pinch", "Prise", "Prise(n)"], ["imperial_gallon", "Imperial Gallons"],
  ])
  func `all names of a unit mean the same (MC-7)`(names: [String]) {
    #expect(Set(names.map { KitchenUnit($0) }).count == 1)
  }

  @Test(arguments: [
    ("1500", ["g"], "1.5 kg"), ("1600", ["g"], "1.6 kg"), ("1234", ["g"], "1234 g"),
    ("500", ["kg"], "0.5 kg"),
    ("2/3", ["Gramm"], "0.667 Gramm"), ("300", ["g", "oz"], "300 g"),
  ])
  func `a mass is shown in the most readable unit`(
    total: String, written: [String], shown: String
  ) throws {
    let total = try #require(Rational(total))
    #expect(Quantity.best(total, of: .mass, from: written).shown == shown)
  }

  @Test(arguments: [
    ("3", "tsp", ["tsp"], "1 tbsp"), ("4", "tsp", ["tsp"], "1 ⅓ tbsp"),
    ("4", "tbsp", ["Tbsp."], "¼ cup"),
    ("5", "tbsp", ["tbsp"], "5 tbsp"), ("20", "cups", ["cups"], "20 cups"),
    ("2", "cups", ["pint", "cup"], "1 pint"), ("1/2", "TL", ["TL"], "½ TL"),
    ("6", "TL", ["TL"], "2 EL"),
    ("1", "cup", ["cup", "ml"], "237 ml"), ("3", "EL", ["EL", "tbsp"], "45 ml"),
    ("15", "dl", ["dl"], "1.5 l"), ("5", "dl", ["dl"], "5 dl"),
    ("1/7", "tsp", ["tsp"], "0.143 tsp"), ("8/9", "cup", ["cup"], "0.889 cup"),
    ("29/9", "cup", ["cup"], "3.22 cup"), ("2100", "ml", ["ml"], "2.1 l"),
    ("2", "imperial pint", ["imp fl oz"], "2 imperial pint"),
  ])
  func `a volume is shown in the most readable unit`(
    amount: String, unit: String, written: [String], shown: String
  ) throws {
    let quantity = Quantity(try #require(Rational(amount)), unit)
    let total = try #require(quantity.converted(to: "ml"))
    #expect(Quantity.best(total.amount, of: .volume, from: written).shown == shown)
  }

  @Test func `a count is shown in the unit of all its lines`() {
    #expect(Quantity.best(Rational(24), of: .count, from: ["dozen"]).shown == "2 dozen")
    #expect(Quantity.best(Rational(24), of: .count, from: ["dozen", nil]).shown == "24")
    let cloves = KitchenUnit("Zehe").dimension
    #expect(Quantity.best(Rational(4), of: cloves, from: ["Zehen", "Zehe"]).shown == "4 Zehe")
  }

  @Test(arguments: [
    ("3/2", "1 ½"), ("1/3", "⅓"), ("11/8", "1 ⅜"), ("10/7", "1.43"), ("-5/4", "-1 ¼"), ("12", "12"),
    ("0", "0"), ("1000/7", "143"), ("1/7", "0.143"), ("1/70000", "0.00001"), ("1999/1000", "2"),
    ("9995/1000", "10"), ("6/5", "1.2"), ("1/9223372036854775807", "1/9223372036854775807"),
  ])
  func `numbers have a kitchen form (MC-5)`(number: String, form: String) {
    #expect(Rational(number)?.kitchenForm == form)
  }
}
