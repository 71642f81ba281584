/// A heading of a document with the text below it, up to the next heading.
package struct DocumentSection: Sendable {
  package let document: Document
  /// `nil` for what is before the first heading.
  package let heading: Markdown.Heading?
  /// The text without markup.
  package let text: String

  /// Its address, with the heading's name.
  package var address: String {
    guard let heading, heading.level > 1 else { return document.address }
    return "\(document.address)#\(Markdown.anchorPrefix)\(heading.anchor)"
  }
}

extension Document {
  /// The document's sections, in order.
  var sections: [DocumentSection] {
    var sections: [DocumentSection] = []
    var heading: Markdown.Heading?
    var texts: [String] = []
    func close() {
      guard heading != nil || !texts.isEmpty else { return }
      sections.append(
        DocumentSection(document: self, heading: heading, text: texts.joined(separator: " ")))
      texts = []
    }
    for block in markdown.blocks {
      if case .heading(let next) = block {
        close()
        heading = next
      } else {
        texts.append(block.plain)
      }
    }
    close()
    return sections
  }
}

extension Markdown.Block {
  /// The words without markup.
  fileprivate var plain: String {
    func plain(_ text: String) -> String { MarkdownSpan.spans(of: text[...]).plain }
    switch self {
    case .heading(let heading): return heading.text
    case .paragraph(let text): return plain(text)
    case .code(let lines): return lines.joined(separator: " ")
    case .table(let rows): return rows.joined().map(plain).joined(separator: " ")
    case .list(_, let items): return items.joined().map(\.plain).joined(separator: " ")
    }
  }
}
