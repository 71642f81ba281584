/// Finds sections of documents by the beginnings of their words.
///
/// The index is sorted by words, so a search costs what it finds: O(log n) for each word that is sought, and O(k) for the k
/// places at which it stands.
package struct DocumentSearch: Sendable {
  /// A section that was found.
  package struct Finding: Sendable {
    package let section: DocumentSection
    /// What stands around the first place, in pieces, with the words that were sought marked.
    package let excerpt: [Piece]
  }

  /// A piece of an excerpt.
  package struct Piece: Sendable, Hashable {
    package let text: String
    package let isSought: Bool
  }

  /// How much more a word says about a section where it stands.
  private enum Weight {
    static let heading = 40
    static let title = 10
    /// No text counts more often, however often it repeats a word.
    static let mostInText = 8
  }

  /// The most findings of a search.
  package static let most = 40
  /// The most words and characters of a search that count.
  private static let (mostWords, mostCharacters) = (8, 200)

  private let sections: [DocumentSection]
  private let words: [String]
  /// For each word, the sections in which it stands and what it says about them.
  private let weights: [[(section: Int, weight: Int)]]

  /// The search over all documents of the program.
  package static let ofProgram = DocumentSearch(Document.all)

  init(_ documents: [Document]) {
    sections = documents.flatMap(\.sections)
    var index: [String: [Int: Int]] = [:]
    for (number, section) in sections.enumerated() {
      var found: [String: Int] = [:]
      for word in Self.words(of: section.text) {
        found[word] = min(found[word, default: 0] + 1, Weight.mostInText)
      }
      for word in Self.words(of: section.document.title) { found[word, default: 0] += Weight.title }
      for word in Self.words(of: section.heading?.text ?? "") {
        found[word, default: 0] += Weight.heading
      }
      for (word, weight) in found { index[word, default: [:]][number] = weight }
    }
    let sorted = index.sorted { $0.key < $1.key }
    words = sorted.map(\.key)
    weights = sorted.map { $0.value.map { (section: $0.key, weight: $0.value) } }
  }

  /// The sections in which every word that is sought begins a word; the most telling ones first.
  package func findings(for text: String) -> [Finding] {
    let sought = Array(Set(Self.words(of: String(text.prefix(Self.mostCharacters))))).sorted()
      .prefix(Self.mostWords)
    guard let first = sought.first else { return [] }
    var found = places(of: first)
    for word in sought.dropFirst() {
      let others = places(of: word)
      found = found.reduce(into: [:]) { both, place in
        if let weight = others[place.key] { both[place.key] = place.value + weight }
      }
    }
    return found.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(Self.most).map {
      Finding(
        section: sections[$0.key],
        excerpt: Self.excerpt(of: sections[$0.key].text, with: Array(sought)))
    }
  }

  /// The sections in which a word begins with a text, with what that says about each.
  private func places(of beginning: String) -> [Int: Int] {
    var (low, high) = (0, words.count)
    while low < high {
      let middle = (low + high) / 2
      if words[middle] < beginning { low = middle + 1 } else { high = middle }
    }
    var found: [Int: Int] = [:]
    while low < words.count, words[low].hasPrefix(beginning) {
      // The whole word says more than its beginning.
      let factor = words[low] == beginning ? 2 : 1
      for place in weights[low] {
        found[place.section] = max(found[place.section] ?? 0, place.weight * factor)
      }
      low += 1
    }
    return found
  }

  private static func isWord(_ character: Character) -> Bool {
    character.isLetter || character.isNumber || character == "_"
  }

  /// The words of a text in lower case. A name such as `log_habit` is found by its parts, too.
  private static func words(of text: String) -> [String] {
    text.lowercased().split { !isWord($0) }.flatMap { word -> [String] in
      let parts = word.split(separator: "_").map(String.init)
      return parts.count > 1 ? [String(word)] + parts : parts
    }
  }

  /// What stands around the first of the words that are sought, or the text's beginning.
  private static func excerpt(of text: String, with sought: [String]) -> [Piece] {
    var pieces: [Piece] = []
    var rest = text[...]
    while !rest.isEmpty {
      let word = rest.prefix(while: isWord)
      let between = rest[word.endIndex...].prefix { !isWord($0) }
      let isSought = words(of: String(word)).contains { word in
        sought.contains { word.hasPrefix($0) }
      }
      if !word.isEmpty { pieces.append(Piece(text: String(word), isSought: isSought)) }
      if !between.isEmpty { pieces.append(Piece(text: String(between), isSought: false)) }
      rest = rest[between.endIndex...]
      // The first of them is enough, and some words after it.
      if let first = pieces.firstIndex(where: \.isSought), pieces.count - first > 50 { break }
    }
    let first = pieces.firstIndex(where: \.isSought) ?? 0
    let start = max(0, first - 16)
    let shown = pieces[start...].prefix(60)
    let before = start > 0 ? [Piece(text: "… ", isSought: false)] : []
    return joined(before + shown)
  }

  /// Neighbours of one kind as one piece.
  private static func joined(_ pieces: [Piece]) -> [Piece] {
    pieces.reduce(into: []) { joined, piece in
      if let last = joined.last, last.isSought == piece.isSought {
        joined[joined.count - 1] = Piece(text: last.text + piece.text, isSought: last.isSought)
      } else {
        joined.append(piece)
      }
    }
  }
}
