/// The units that are known, each with the names that people write for it.
extension KitchenUnit {
  /// By names in lower case.
  static let names: [String: KitchenUnit] = {
    var names: [String: KitchenUnit] = [:]
    for (unit, aliases) in known {
      names[unit.name.foldedName] = unit
      for alias in aliases.split(separator: ",") { names[String(alias).foldedName] = unit }
    }
    return names
  }()

  /// The names in which the case of a letter tells one unit from another.
  static let exactNames: [String: KitchenUnit] = [
    "T": tablespoon, "t": teaspoon, "Tb": tablespoon, "Tbs": tablespoon,
  ]

  static let gram = KitchenUnit(metric: "g", .mass, 1, 1)
  static let kilogram = KitchenUnit(metric: "kg", .mass, 1_000, 1)
  static let millilitre = KitchenUnit(metric: "ml", .volume, 1, 1)
  static let litre = KitchenUnit(metric: "l", .volume, 1_000, 1)
  static let teaspoonful = KitchenUnit("TL", .volume, 5, 1, .spoons)
  static let tablespoonful = KitchenUnit("EL", .volume, 15, 1, .spoons)
  /// 1/16 of a pound of 453.59237 g.
  static let ounce = KitchenUnit("oz", .mass, 45_359_237, 1_600_000, .unitedStates)
  static let pound = KitchenUnit("lb", .mass, 45_359_237, 100_000, .unitedStates)
  /// 1/768 of a gallon of 3785.411784 ml, and its multiples.
  static let teaspoon = KitchenUnit(gallons: "tsp", 768)
  static let tablespoon = KitchenUnit(gallons: "tbsp", 256)
  static let fluidOunce = KitchenUnit(gallons: "fl oz", 128)
  static let cup = KitchenUnit(gallons: "cup", 16)
  static let pint = KitchenUnit(gallons: "pint", 8)
  static let quart = KitchenUnit(gallons: "quart", 4)
  static let gallon = KitchenUnit(gallons: "gallon", 1)
  /// 1/160 of a gallon of 4546.09 ml, and its multiples.
  static let imperialFluidOunce = KitchenUnit(imperialGallons: "imperial fl oz", 160)
  static let imperialPint = KitchenUnit(imperialGallons: "imperial pint", 8)
  static let imperialQuart = KitchenUnit(imperialGallons: "imperial quart", 4)
  static let imperialGallon = KitchenUnit(imperialGallons: "imperial gallon", 1)

  private static let known: [(KitchenUnit, String)] = [
    (KitchenUnit(metric: "mg", .mass, 1, 1_000), "milligram,milligrams,milligramm"),
    (gram, "gr,gm,gms,gram,grams,gramme,grammes,gramm"),
    (kilogram, "kilo,kilos,kgs,kilogram,kilograms,kilogramm"),
    // A German pound and hundredweight of the kitchen.
    (KitchenUnit(metric: "Pfund", .mass, 500, 1), "pfd"),
    (ounce, "ounce,ounces,ozs,unze,unzen"),
    (pound, "lbs,pound,pounds"),
    (millilitre, "milliliter,milliliters,millilitre,millilitres,mil,mls"),
    (KitchenUnit(metric: "cl", .volume, 10, 1), "centiliter,centilitre,centiliters,centilitres"),
    (KitchenUnit(metric: "dl", .volume, 100, 1), "deciliter,decilitre,deziliter"),
    (litre, "liter,liters,litre,litres,ltr,lt"),
    (teaspoonful, "tl,teelöffel,teel"),
    (tablespoonful, "el,esslöffel,eßlöffel,essl"),
    (teaspoon, "teaspoon,teaspoons,tsps,us teaspoon"),
    (tablespoon, "tablespoon,tablespoons,tbsps,tbs,tblsp,us tablespoon"),
    (fluidOunce, "fluid ounce,fluid ounces,floz,fl. oz,fl oz,fl ounce,us fluid ounce"),
    (cup, "c,cups,us cup,us cups"),
    (pint, "pints,pt,us pint"),
    (quart, "quarts,qt,qts,us quart"),
    (gallon, "gallons,gal,us gallon"),
    (imperialFluidOunce, "imperial fluid ounce,imperial fluid ounces,imp fl oz"),
    (imperialPint, "imperial pints,imp pint,imp pints"),
    (imperialQuart, "imperial quarts,imp quart"),
    (imperialGallon, "imperial gallons,imp gallon,imp gal"),
    (KitchenUnit("piece", .count, 1, 1, .none), "pieces,pc,pcs,stück,stücke,stk,st"),
    (KitchenUnit("dozen", .count, 12, 1, .none), "doz,dutzend"),
    (KitchenUnit(own: "bottle"), "bottles,flasche,flaschen"),
    (KitchenUnit(own: "bunch"), "bunches,bund,bunde"),
    (KitchenUnit(own: "can"), "cans,tin,tins,dose,dosen"),
    (KitchenUnit(own: "clove"), "cloves,zehe,zehen"),
    (KitchenUnit(own: "dash"), "dashes,schuss,spritzer"),
    (KitchenUnit(own: "drop"), "drops,tropfen"),
    (KitchenUnit(own: "handful"), "handfuls,handvoll"),
    (KitchenUnit(own: "head"), "heads,kopf,köpfe"),
    (KitchenUnit(own: "jar"), "jars,glas,gläser"),
    (
      KitchenUnit(own: "package"),
      "packages,packet,packets,pack,packs,pkg,packung,packungen,päckchen,pck,pkt,paket,pakete"
    ),
    (KitchenUnit(own: "pinch"), "pinches,prise,prisen,msp,messerspitze"),
    (KitchenUnit(own: "slice"), "slices,scheibe,scheiben"),
    (KitchenUnit(own: "sprig"), "sprigs,zweig,zweige"),
    (KitchenUnit(own: "stalk"), "stalks,stange,stangen"),
    (KitchenUnit(own: "stick"), "sticks"),
  ]

  /// A unit of so much; the terms are constants, and below them stands no 0.
  private init(
    _ name: String, _ dimension: Dimension, _ above: Int64, _ below: Int64, _ system: System
  ) {
    self.init(
      name: name, dimension: dimension, size: Rational(above, over: below) ?? .one, system: system)
  }

  private init(metric name: String, _ dimension: Dimension, _ above: Int64, _ below: Int64) {
    self.init(name, dimension, above, below, .metric)
  }

  /// A part of the gallon of the United States: 231 cubic inches.
  private init(gallons name: String, _ parts: Int64) {
    self.init(name, .volume, 3_785_411_784, 1_000_000 * parts, .unitedStates)
  }

  private init(imperialGallons name: String, _ parts: Int64) {
    self.init(name, .volume, 454_609, 100 * parts, .imperial)
  }

  private init(own name: String) { self.init(name, .own(name), 1, 1, .none) }
}
