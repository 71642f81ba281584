import Pictures

extension Markdown {
  /// What stands before a heading's name in the document's markup, so that no heading has the name of a part of the page.
  package static let anchorPrefix = "section-"

  /// The document as HTML. Every text is escaped.
  ///
  /// - Parameter target: The address for a link's; `nil` shows the link's words as text.
  /// - Returns: The markup.
  package func html(linking target: (String) -> String?) -> String {
    Self.html(blocks, target)
  }

  private static func html(_ blocks: [Block], _ target: (String) -> String?) -> String {
    blocks.map { html($0, target) }.joined()
  }

  private static func html(_ block: Block, _ target: (String) -> String?) -> String {
    switch block {
    case .heading(let heading):
      // The first heading names the document, and nothing leads to it.
      let id = heading.level == 1 ? "" : " id=\"\(SVG.escaped(anchorPrefix + heading.anchor))\""
      return "<h\(heading.level)\(id)>\(inline(heading.words, target))</h\(heading.level)>\n"
    case .paragraph(let text): return "<p>\(inline(text, target))</p>\n"
    case .code(let lines):
      let text = lines.map { SVG.escaped(String($0)) }.joined(separator: "\n")
      return "<pre class=\"scroll\" tabindex=\"0\"><code>\(text)</code></pre>\n"
    case .table(let rows): return table(rows, target)
    case .list(let number, let items):
      let name = number == nil ? "ul" : "ol"
      let start = number.map { $0 == 1 ? "" : " start=\"\($0)\"" } ?? ""
      return "<\(name)\(start)>" + items.map { "<li>\(item($0, target))</li>" }.joined()
        + "</\(name)>\n"
    }
  }

  /// The text of an item stands in it without a paragraph around it.
  private static func item(_ blocks: [Block], _ target: (String) -> String?) -> String {
    guard case .paragraph(let text)? = blocks.first else { return html(blocks, target) }
    return inline(text, target) + html(Array(blocks.dropFirst()), target)
  }

  private static func table(_ rows: [[String]], _ target: (String) -> String?) -> String {
    guard let head = rows.first, rows.count > 1 else { return "" }
    let body = rows.dropFirst().map { cells in
      "<tr>" + cells.map { "<td>\(inline($0, target))</td>" }.joined() + "</tr>"
    }
    return "<div class=\"scroll\" tabindex=\"0\" role=\"group\"><table><thead><tr>"
      + head.map { cell in
        cell.isEmpty ? "<td></td>" : "<th scope=\"col\">\(inline(cell, target))</th>"
      }.joined()
      + "</tr></thead><tbody>" + body.joined() + "</tbody></table></div>\n"
  }

  private static func inline(_ text: String, _ target: (String) -> String?) -> String {
    html(MarkdownSpan.spans(of: text[...]), target)
  }

  private static func html(_ spans: [MarkdownSpan], _ target: (String) -> String?) -> String {
    spans.map { span in
      switch span {
      case .text(let text): return SVG.escaped(text)
      case .code(let text): return "<code>\(SVG.escaped(text))</code>"
      case .strong(let spans): return "<strong>\(html(spans, target))</strong>"
      case .emphasis(let spans): return "<em>\(html(spans, target))</em>"
      case .link(let spans, let address):
        let words = html(spans, target)
        return target(address).map { "<a href=\"\(SVG.escaped($0))\">\(words)</a>" } ?? words
      }
    }.joined()
  }
}
