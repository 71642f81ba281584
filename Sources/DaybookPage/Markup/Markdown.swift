import Pictures

/// Markdown as HTML: headings, paragraphs, lists, tables, emphasis, code, links, which is all that Daybook's documents use
/// (CommonMark, and GitHub's tables). Everything else is text, and every text is escaped.
struct Markdown {
  private let lines: [Substring]

  init(_ text: String) {
    lines = text.split(separator: "\n", omittingEmptySubsequences: false)
  }

  /// The document as HTML.
  ///
  /// - Parameter target: The address for a link's; `nil` shows the link's words as text.
  /// - Returns: The markup.
  func html(linking target: (String) -> String?) -> String {
    var html = ""
    var place = 0
    func take(while isTaken: (Substring) -> Bool) -> [Substring] {
      let start = place
      while place < lines.count, isTaken(lines[place]) { place += 1 }
      return Array(lines[start..<place])
    }
    while place < lines.count {
      let line = lines[place]
      if line.trimmed.isEmpty {
        place += 1
      } else if let level = Self.headingLevel(line) {
        place += 1
        let words = inline(line.dropFirst(level + 1), target)
        html += "<h\(level)>\(words)</h\(level)>\n"
      } else if line.hasPrefix("|") {
        html += table(take { $0.hasPrefix("|") }, target)
      } else if Self.isItem(line) {
        html += list(take { Self.isItem($0) || $0.hasPrefix("  ") }, target)
      } else {
        let text = take {
          !$0.trimmed.isEmpty && Self.headingLevel($0) == nil && !$0.hasPrefix("|")
            && !Self.isItem($0)
        }
        html += "<p>\(inline(text.joined(separator: " ")[...], target))</p>\n"
      }
    }
    return html
  }

  private static func headingLevel(_ line: Substring) -> Int? {
    let level = line.prefix { $0 == "#" }.count
    return (1...4).contains(level) && line.dropFirst(level).hasPrefix(" ") ? level : nil
  }

  private static func isItem(_ line: Substring) -> Bool { line.hasPrefix("- ") }

  private func list(_ lines: [Substring], _ target: (String) -> String?) -> String {
    var items: [String] = []
    for line in lines {
      if Self.isItem(line) {
        items.append(String(line.dropFirst(2)))
      } else if let last = items.indices.last {
        items[last] += " " + line.trimmed
      }
    }
    return "<ul>" + items.map { "<li>\(inline($0[...], target))</li>" }.joined() + "</ul>\n"
  }

  private func table(_ lines: [Substring], _ target: (String) -> String?) -> String {
    let rows = lines.map { line in
      line.split(separator: "|", omittingEmptySubsequences: false).dropFirst().dropLast()
        .map { inline($0.trimmed[...], target) }
    }
    // The second line of a table only divides.
    guard let head = rows.first, rows.count > 1 else { return "" }
    let body = rows.dropFirst(2).map { cells in
      "<tr>" + cells.map { "<td>\($0)</td>" }.joined() + "</tr>"
    }
    return "<div class=\"scroll\" tabindex=\"0\" role=\"group\"><table><thead><tr>"
      + head.map { "<th scope=\"col\">\($0)</th>" }.joined() + "</tr></thead><tbody>"
      + body.joined() + "</tbody></table></div>\n"
  }

  /// A line's code, emphasis and links.
  private func inline(_ text: Substring, _ target: (String) -> String?) -> String {
    var html = ""
    var rest = text
    while let next = rest.first {
      if next == "`", let end = rest.dropFirst().firstIndex(of: "`") {
        html +=
          "<code>\(SVG.escaped(String(rest[rest.index(after: rest.startIndex)..<end])))</code>"
        rest = rest[rest.index(after: end)...]
      } else if rest.hasPrefix("**"), let end = rest.dropFirst(2).firstRange(of: "**") {
        html += "<strong>\(inline(rest.dropFirst(2)[..<end.lowerBound], target))</strong>"
        rest = rest[end.upperBound...]
      } else if next == "[", let middle = rest.firstRange(of: "]("),
        let end = rest[middle.upperBound...].firstIndex(of: ")")
      {
        let words = inline(rest[rest.index(after: rest.startIndex)..<middle.lowerBound], target)
        let address = target(String(rest[middle.upperBound..<end]))
        html += address.map { "<a href=\"\(SVG.escaped($0))\">\(words)</a>" } ?? words
        rest = rest[rest.index(after: end)...]
      } else {
        html += SVG.escaped(String(next))
        rest = rest.dropFirst()
      }
    }
    return html
  }
}
