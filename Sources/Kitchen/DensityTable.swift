/// The densities of known foods, which convert between mass and volume.
///
/// A food is found by its whole name, in English or German, or by the name without a word that does not
/// affect its weight ("unsalted butter"). Almond flour is not flour, and a food outside the table has no
/// density.
///
/// - SeeAlso: USDA FoodData Central, SR Legacy (2018, CC0): grams in a household portion of one cup, or in a
///   teaspoon or tablespoon if it has no cup. A cup is 236.588 ml.
package enum DensityTable {
  /// The source of the numbers.
  package static let source = "USDA FoodData Central"

  /// Grams in a cup of the food, or `nil` if the table does not have it.
  package static func gramsPerCup(of food: String) -> Rational? {
    let words = food.foldedName.split(separator: " ").map(String.init)
    // No name in the table is longer, but an imported one may be.
    guard words.count <= 6 else { return nil }
    if let found = grams(of: words) { return found }
    let plain = words.filter { !indifferent.contains($0) }
    return plain.count < words.count ? grams(of: plain) : nil
  }

  private static func grams(of words: [String]) -> Rational? {
    let name = words.joined(separator: " ")
    let names = name.hasSuffix("s") ? [name, String(name.dropLast())] : [name]
    return names.lazy.compactMap { foods[$0] }.first
  }

  /// Words that do not affect the weight.
  private static let indifferent: Set = [
    "plain", "all-purpose", "white", "wheat", "unsalted", "salted", "soft", "melted", "fresh",
    "cold", "warm", "lukewarm", "hot", "boiling", "fine", "caster", "granulated", "good", "extra",
    "virgin", "organic", "weiche", "kalte", "kaltes", "warme", "warmes", "heißes", "frische",
    "flüssige", "natives", "feiner", "weißer", "bio",
  ]

  private static let foods: [String: Rational] = {
    var foods: [String: Rational] = [:]
    for (grams, names) in table {
      for name in names.split(separator: ",") {
        foods[String(name)] = Rational(grams, over: 10)
      }
    }
    return foods
  }()

  /// Tenths of a gram in a cup.
  private static let table: [(Int64, String)] = [
    (2370, "water,wasser"),
    (2440, "milk,whole milk,milch,vollmilch"),
    (2450, "buttermilk,buttermilch,yoghurt,yogurt,joghurt,naturjoghurt"),
    (2380, "cream,heavy cream,double cream,whipping cream,sahne,schlagsahne,schlagrahm"),
    (2300, "sour cream,saure sahne,sauerrahm"),
    (2270, "butter"),
    (2160, "olive oil,olivenöl"),
    (
      2180,
      "oil,vegetable oil,sunflower oil,canola oil,rapeseed oil,öl,pflanzenöl,sonnenblumenöl,rapsöl"
    ),
    (1250, "flour,mehl,weizenmehl"),
    (1200, "whole-wheat flour,wholewheat flour,wholemeal flour,vollkornmehl,weizenvollkornmehl"),
    (2000, "sugar,zucker"),
    (2200, "brown sugar,brauner zucker"),
    (1200, "powdered sugar,icing sugar,confectioners' sugar,puderzucker"),
    (3390, "honey,honig"),
    (3150, "maple syrup,ahornsirup"),
    (3370, "molasses,treacle,melasse"),
    (860, "cocoa,cocoa powder,kakao,kakaopulver"),
    (1280, "cornstarch,cornflour,speisestärke,maisstärke"),
    (810, "oats,rolled oats,oatmeal,haferflocken"),
    (1850, "rice,long-grain rice,reis,langkornreis"),
    (1670, "semolina,grieß,weizengrieß"),
    (1220, "cornmeal,polenta,maisgrieß"),
    (1080, "breadcrumbs,dry breadcrumbs,paniermehl,semmelbrösel"),
    (2920, "salt,table salt,salz"),
    (2208, "baking powder,baking soda,backpulver,natron"),
    (1450, "raisins,rosinen"),
    (2580, "peanut butter,erdnussbutter"),
    (1920, "lentils,linsen"),
    (2000, "dried chickpeas,getrocknete kichererbsen"),
    (1000, "grated parmesan,geriebener parmesan"),
    (2390, "vinegar,cider vinegar,essig,apfelessig"),
  ]
}
