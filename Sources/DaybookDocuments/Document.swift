import CDocuments
import Synchronization

/// A page of the documentation, which is in the program.
package struct Document: Sendable {
  /// The path of its file below `Docs`, such as `Legal/Privacy.md`.
  package let path: String
  /// The file's text.
  let text: String

  private init(_ path: String, _ text: String) {
    self.path = path
    self.text = text
  }

  /// The documents, by their paths.
  package static let all: [Document] = (0..<daybook_document_count()).map { index in
    let document = daybook_document_at(index)
    let bytes = UnsafeBufferPointer(start: document.bytes, count: document.byte_count)
    return Document(String(cString: document.path), String(decoding: bytes, as: UTF8.self))
  }

  private static let byPath = Dictionary(all.map { ($0.path, $0) }) { first, _ in first }

  /// The document of a file; `nil` if there is none.
  package init?(path: String) {
    guard let found = Self.byPath[path] else { return nil }
    self = found
  }

  /// The document at an address, without the `docs` that it begins with; `nil` if there is none.
  package init?(at path: [String]) {
    guard path.last != "README" else { return nil }
    self.init(path: (path.isEmpty ? "README" : path.joined(separator: "/")) + ".md")
  }

  /// The documents of a folder, such as `Decisions`; none if it is no folder.
  package static func inFolder(_ name: String) -> [Document] {
    all.filter { $0.folder == name }
  }

  /// The name of its folder; empty for those that are in none.
  package var folder: String { path.split(separator: "/").dropLast().joined(separator: "/") }

  /// Where the page shows it; the file README stands at `/docs` itself.
  package var address: String {
    path == "README.md" ? "/docs" : "/docs/" + path.dropLast(3)
  }

  /// The address of a folder's list.
  package static func address(ofFolder name: String) -> String { "/docs/" + name }

  // MARK: Markup

  /// What is made of a text when somebody first asks for it.
  private struct Parsed {
    let markdown: Markdown
    let html: String
  }

  private static let parsed = Mutex<[String: Parsed]>([:])

  private var parsed: Parsed {
    if let known = Self.parsed.withLock({ $0[path] }) { return known }
    let markdown = Markdown(text)
    let parsed = Parsed(markdown: markdown, html: markdown.html { target(of: $0) })
    Self.parsed.withLock { $0[path] = parsed }
    return parsed
  }

  package var markdown: Markdown { parsed.markdown }

  /// Its markup, with links that lead to the other documents.
  package var html: String { parsed.html }

  /// Its first heading, or its path.
  package var title: String { markdown.headings.first?.text ?? path }

  /// A link that leads out of the documentation; `nil` for any other.
  package static func elsewhere(_ link: String) -> String? {
    link.hasPrefix("https://") || link.hasPrefix("http://") ? link : nil
  }

  /// The address for a link's of this document. A file that is not in the documentation has none.
  package func target(of link: String) -> String? {
    if let link = Self.elsewhere(link) { return link }
    let parts = link.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
    let anchor = parts.count > 1 ? "#" + Markdown.anchorPrefix + parts[1] : ""
    guard let file = parts.first, !file.isEmpty else { return anchor.isEmpty ? nil : anchor }
    var names = folder.split(separator: "/")
    for name in file.split(separator: "/") {
      switch name {
      case ".": break
      case "..":
        guard names.popLast() != nil else { return nil }
      default: names.append(name)
      }
    }
    let path = names.joined(separator: "/")
    if let document = Document(path: path) { return document.address + anchor }
    return Self.inFolder(path).isEmpty ? nil : Self.address(ofFolder: path)
  }
}
