/// A text in Markdown: headings, paragraphs, lists, tables, fenced code, emphasis, code, links, which is all that Daybook's
/// documents use (CommonMark, and GitHub's tables). Comments are left out. Everything else is text.
package struct Markdown: Sendable {
  /// A part of a text that stands by itself.
  indirect enum Block: Sendable {
    case heading(Heading)
    case paragraph(String)
    case code([Substring])
    /// The rows; the first one names the columns.
    case table([[String]])
    case list(from: Int?, [[Block]])
  }

  /// A heading, and the name by which links lead to it.
  package struct Heading: Sendable, Hashable {
    package let level: Int
    /// Its words, with their markup.
    let words: String
    /// The name in links, as GitHub makes it: `#signing-in`, and `#signing-in-1` for the second of the same words.
    package let anchor: String

    /// Its words, without markup.
    package var text: String { MarkdownSpan.spans(of: words[...]).plain }
  }

  let blocks: [Block]

  package init(_ text: String) {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    var anchors = AnchorNames()
    blocks = Self.blocks(of: lines[...], &anchors)
  }

  /// The headings, in order.
  package var headings: [Heading] {
    blocks.compactMap { if case .heading(let heading) = $0 { heading } else { nil } }
  }

  private static func blocks(
    of lines: ArraySlice<Substring>, _ anchors: inout AnchorNames
  ) -> [Block] {
    var blocks: [Block] = []
    var rest = lines
    func take(while isTaken: (Substring) -> Bool) -> ArraySlice<Substring> {
      let taken = rest.prefix(while: isTaken)
      rest = rest[taken.endIndex...]
      return taken
    }
    while let line = rest.first {
      if line.isBlank {
        rest.removeFirst()
      } else if line.hasPrefix("<!--") {
        _ = take { !$0.contains("-->") }
        rest = rest.dropFirst()
      } else if line.hasPrefix("```") {
        rest.removeFirst()
        blocks.append(.code(Array(take { $0.trimmingSpaces != "```" })))
        rest = rest.dropFirst()
      } else if let level = headingLevel(line) {
        rest.removeFirst()
        let words = String(line.dropFirst(level + 1))
        let anchor = anchors.name(for: MarkdownSpan.spans(of: words[...]).plain)
        blocks.append(.heading(Heading(level: level, words: words, anchor: anchor)))
      } else if line.hasPrefix("|") {
        blocks.append(.table(table(take { $0.hasPrefix("|") })))
      } else if let first = ListItem(line) {
        var items: [[Block]] = []
        while let item = rest.first.flatMap({ ListItem($0) }), item.isNumbered == first.isNumbered {
          items.append(Self.blocks(of: item.lines(from: &rest)[...], &anchors))
        }
        blocks.append(.list(from: first.number, items))
      } else {
        // The first line is text whatever it looks like, so each turn takes a line.
        rest.removeFirst()
        let more = take { !$0.isBlank && !beginsBlock($0) }
        blocks.append(.paragraph(([line] + more).joined(separator: " ")))
      }
    }
    return blocks
  }

  private static func headingLevel(_ line: Substring) -> Int? {
    let level = line.prefix { $0 == "#" }.count
    return (1...6).contains(level) && line.dropFirst(level).hasPrefix(" ") ? level : nil
  }

  /// Whether a line ends the paragraph before it.
  private static func beginsBlock(_ line: Substring) -> Bool {
    if headingLevel(line) != nil || line.hasPrefix("|") || line.hasPrefix("```") { return true }
    // A number at the beginning of a line may be a part of a sentence, but for the first of a list.
    return ListItem(line).map { $0.number ?? 1 == 1 } ?? false
  }

  private static func table(_ lines: ArraySlice<Substring>) -> [[String]] {
    let rows = lines.map { line in
      line.split(separator: "|", omittingEmptySubsequences: false).dropFirst().dropLast()
        .map(\.trimmingSpaces)
    }
    // The second line of a table only divides.
    return Array(rows.prefix(1) + rows.dropFirst(2))
  }
}

/// How an item of a list begins.
private struct ListItem {
  /// The number of a numbered item.
  let number: Int?
  /// The columns before its text.
  private let indent: Int

  var isNumbered: Bool { number != nil }

  /// - Returns: `nil` for a line with which no item begins.
  init?(_ line: Substring) {
    if line.hasPrefix("- ") {
      (number, indent) = (nil, 2)
    } else {
      let digits = line.prefix { $0.isASCII && $0.isNumber }
      guard (1...3).contains(digits.count), line.dropFirst(digits.count).hasPrefix(". ") else {
        return nil
      }
      (number, indent) = (Int(digits), digits.count + 2)
    }
  }

  /// Takes the item's lines, without their indent, and the empty lines after them.
  func lines(from rest: inout ArraySlice<Substring>) -> [Substring] {
    var lines: [Substring] = []
    var isFirst = true
    while let line = rest.first {
      let spaces = line.prefix { $0 == " " }.count
      guard isFirst || line.isBlank || spaces >= 2 else { break }
      lines.append(line.dropFirst(isFirst ? indent : min(spaces, indent)))
      isFirst = false
      rest.removeFirst()
    }
    return lines
  }
}

/// Names for headings, each once.
private struct AnchorNames {
  private var used: [String: Int] = [:]

  mutating func name(for title: String) -> String {
    let kept = title.lowercased().filter { $0.isLetter || $0.isNumber || " -_".contains($0) }
    let name = kept.replacing(" ", with: "-")
    let before = used[name, default: 0]
    used[name] = before + 1
    return before == 0 ? name : "\(name)-\(before)"
  }
}

extension Substring {
  var isBlank: Bool { allSatisfy(\.isWhitespace) }

  var trimmingSpaces: String {
    let end = lastIndex { !$0.isWhitespace }.map { index(after: $0) } ?? startIndex
    return String(self[..<end].drop(while: \.isWhitespace))
  }
}
