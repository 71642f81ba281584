/// Words of ingredient lines that are neither units nor foods, in the supported languages.
enum IngredientWords {
  /// Marks that lists put in front of a line.
  static let marks = Set<Character>(" ,.=+#*-–—•·:;~_|>▢☐☑☒✓✔□■▪▫◦○●◆‣⁃➤►▶→")

  static let approximations: Set<String> = [
    "ca.", "ca", "circa", "etwa", "ungefähr", "about", "approx.", "approximately", "roughly",
    "environ", "env.", "unos", "unas", "aprox.", "ongeveer", "cirka", "約",
  ]

  /// Words between two amounts.
  static let ranges = ["to", "bis", "or", "oder", "à", "a", "o", "ou", "till", "eller", "tot"]

  /// Words between a known unit and its food.
  static let connectives: Set<String> = ["of", "de", "di", "du", "del", "della", "van", "av"]

  /// Units that come before their number.
  static let unitsBefore = ["大さじ", "小さじ", "カップ"]

  static let numbers: [String: Int64] = [
    "a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7,
    "eight": 8, "nine": 9, "ten": 10, "twelve": 12,
    "ein": 1, "eine": 1, "einen": 1, "zwei": 2, "drei": 3, "vier": 4, "fünf": 5, "sechs": 6,
    "sieben": 7, "acht": 8, "neun": 9, "zehn": 10, "zwölf": 12,
    "un": 1, "une": 1, "deux": 2, "trois": 3, "quatre": 4, "una": 1, "uno": 1, "due": 2, "tre": 3,
    "dos": 2, "tres": 3, "een": 1, "twee": 2, "drie": 3, "en": 1, "ett": 1, "två": 2, "um": 1,
    "uma": 1,
  ]

  /// Words for one half, after "a" or 1.
  static let halves: Set<String> = [
    "half", "halb", "halbe", "halber", "halbes", "halben", "demi", "demie", "mezzo", "mezza",
    "medio", "media", "halve", "halv", "halva", "halvt", "meio", "meia",
  ]

  /// Words for another half, after an amount or its unit.
  static let andHalves = [
    "and a half", "and one half", "and one-half", "und ein halb", "und eine halbe",
    "und ein halber", "und ein halbes", "und einen halben", "et demi", "et demie", "e mezzo",
    "e mezza", "y medio", "y media", "en een half", "en een halve", "och en halv", "och ett halvt",
    "e meio", "e meia",
  ]

  /// Words for an uncounted amount.
  static let vague = [
    "etwas", "ein wenig", "wenig", "ein bisschen", "some", "a little", "un peu", "un po'",
    "un poco",
    "quanto basta", "q.b.", "n. b.", "n.b.", "een beetje", "lite",
  ]

  /// Sizes of things.
  static let sizes: Set<String> = [
    "large", "small", "medium", "big", "kl.", "gr.", "m.-große", "m.-großer", "medium-sized",
    "extra-large", "jumbo",
    "groß", "große", "großer", "großes", "großen", "klein", "kleine", "kleiner", "kleines",
    "kleinen", "mittelgroß", "mittelgroße", "mittelgroßer", "mittelgroßes", "mittelgroßen",
    "mittlere", "mittlerer", "mittleres", "grand", "grande", "grands", "grandes", "grandi", "gros",
    "grosse", "grosses", "petit", "petite", "petits", "petites", "moyen", "moyenne", "moyens",
    "moyennes", "piccola", "piccolo", "piccole", "piccoli", "pequeño", "pequeña", "pequeños",
    "pequeñas", "stor", "stort", "stora", "liten", "litet", "små", "grote", "kleintje",
  ]

  /// Words for the fill or the size of a unit.
  static let qualifiers: Set<String> = sizes.union([
    "heaped", "heaping", "level", "scant", "generous", "good", "rounded", "packed", "full",
    "gehäuft", "gehäufte", "gehäufter", "geh.", "gestrichen", "gestrichene", "gestrichener",
    "gestr.", "knapp", "knapper", "knappe", "guter", "gute", "leicht", "bombée", "rase", "colmo",
    "colmi", "rasa", "colmada", "rasos", "rågad", "struken", "thick",
    "thin", "fresh", "dicke", "dünne",
  ])

  /// Words that describe a food, and belong to its name even where nothing else shows it.
  static let describing: Set<String> = [
    "brown", "red", "white", "green", "yellow", "black", "purple", "golden", "dark", "light",
    "sweet", "sour", "hot", "cold", "warm", "fresh", "dried", "ripe", "raw", "cooked", "frozen",
    "whole", "plain", "free-range", "organic", "boneless", "skinless", "chicken", "egg", "spring",
    "bell", "bay", "baby", "cherry",
  ]

  /// Words that make the number after them a label, not an amount.
  static let labels: Set<String> = [
    "type", "typ", "tipo", "t", "no", "no.", "nr", "nr.", "n.", "n°", "nº", "№", "#", "nummer",
    "number", "size", "größe", "grösse", "taille", "vol.", "teil", "part", "step", "schritt", "for",
    "für", "pour", "per", "para", "voor", "serves", "in", "bis", "to", "or", "oder", "ou", "und",
    "and", "et", "e", "y", "+", "/", "&", "zu", "je", "à", "of", "von", "de", "vitamin", "omega",
    "wd", "aa", "formel",
  ]

  /// Preparations of a food that follow it without a comma.
  private static let preparations: Set<String> = [
    "chopped", "diced", "sliced", "minced", "grated", "peeled", "crushed", "beaten", "melted",
    "softened", "halved", "quartered", "shredded", "sifted", "drained", "rinsed", "cubed",
    "optional",
  ]

  private static let adverbs: Set<String> = [
    "finely", "roughly", "thinly", "freshly", "coarsely", "lightly", "well", "and", "&",
  ]

  private static let endings = [
    "to taste", "for serving", "for garnish", "to serve", "as needed", "nach geschmack",
    "nach belieben", "nach bedarf", "q.b.", "q.b", "qb", "quanto basta", "al gusto", "au goût",
    "naar smaak", "efter smak", "少々", "適量", "適宜", "お好みで",
  ]

  /// Splits off the preparation that follows a food; `nil` when there is none.
  static func withoutPreparation(_ food: Substring) -> (food: Substring, said: String)? {
    let lower = food.lowercased()
    if lower.count == food.count, let ending = endings.first(where: lower.hasSuffix) {
      let name = food.dropLast(ending.count)
      let isWord = name.last == " " || ending.allSatisfy(\.isIdeographic)
      let trimmed = String(name).trimmed
      if isWord, !trimmed.isEmpty { return (trimmed[...], String(food.suffix(ending.count))) }
    }
    var words = food.split(separator: " ")
    var said: [Substring] = []
    while let last = words.last, words.count > 1, preparations.contains(last.lowercased()) {
      said.insert(last, at: 0)
      words.removeLast()
      while let last = words.last, words.count > 1, adverbs.contains(last.lowercased()) {
        said.insert(last, at: 0)
        words.removeLast()
      }
    }
    guard !said.isEmpty else { return nil }
    return (words.joined(separator: " ")[...], said.joined(separator: " "))
  }
}

extension StringProtocol {
  /// Whether the last word before a comma is an English plural.
  var isPluralName: Bool {
    let name = prefix { $0 != "," && $0 != "(" }.split(separator: " ").last ?? ""
    return name.count > 2 && name.hasSuffix("s")
      && !["ss", "us", "is"].contains { name.hasSuffix($0) }
  }

  /// Whether the word is lower-case and looks like an English singular noun.
  var isPlainSingular: Bool {
    allSatisfy { ("a"..."z").contains($0) } && !(last.map { "aeious".contains($0) } ?? true)
  }

  /// Whether the word looks like a German participle: "gehackt", "geschnitten", "halbiert".
  var isGermanParticiple: Bool {
    guard first?.isLowercase == true, count > 4 else { return false }
    return hasSuffix("iert") || contains("ge") && (hasSuffix("t") || hasSuffix("en"))
  }
}
