/// An entry whose personal fields were blanked, and the commitment that stands for them.
struct ErasedEntry: Hashable, Sendable {
  /// The position of the entry.
  var position: Position
  /// The commitment to its personal fields.
  var commitment: Digest

  /// Parses `POSITION:COMMITMENT POSITION:COMMITMENT …`, by ascending position; nil for any other
  /// text.
  static func list(_ text: String) -> [ErasedEntry]? {
    var list: [ErasedEntry] = []
    for item in text.split(separator: " ", omittingEmptySubsequences: text.isEmpty) {
      let parts = item.split(separator: ":", omittingEmptySubsequences: false)
      guard parts.count == 2, let number = Int64(digits: parts[0]), let digest = Digest(parts[1]),
        list.last.map({ $0.position.number < number }) ?? true
      else { return nil }
      list.append(ErasedEntry(position: Position(number), commitment: digest))
    }
    return list
  }

  /// `POSITION:COMMITMENT POSITION:COMMITMENT …`.
  static func text(_ list: [ErasedEntry]) -> String {
    list.map { "\($0.position):\($0.commitment)" }.joined(separator: " ")
  }
}

extension Int64 {
  /// Parses 1 to 18 decimal digits; fails for anything else.
  init?(digits text: Substring) {
    guard (1...18).contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) })
    else { return nil }
    self.init(text)
  }
}
