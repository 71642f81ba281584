import DaybookDocuments
import HTTPTypes
import Wire

/// The documentation: a page of it, the pages of a folder, or what a search finds. It is the same for everybody, and shows
/// nothing of a book.
struct DocumentScreens {
  /// The first component of their paths.
  static let name = "docs"

  let language: Language

  /// What is at an address.
  ///
  /// - Throws: ``PageRefusal``.
  func content(_ request: WireRequest) throws -> Content {
    guard request.method == .get || request.method == .head else { throw PageRefusal.wrongMethod }
    let path = Array(request.path.dropFirst())
    if path.isEmpty, let search = request.query["search"], !search.trimmed.isEmpty {
      return found(search)
    }
    if let document = Document(at: path) { return page(document) }
    let folder = path.joined(separator: "/")
    let documents = Document.inFolder(folder)
    guard !path.isEmpty, !documents.isEmpty else { throw PageRefusal.notFound }
    return list(documents, in: folder)
  }

  private func page(_ document: Document) -> Content {
    let headings = document.markdown.headings.filter { $0.level == 2 }.map {
      ["link": "#" + Markdown.anchorPrefix + $0.anchor, "name": $0.text] as Fields
    }
    return content(
      document.title,
      [
        "text": document.html, "has_text": true, "headings": headings,
        "has_headings": headings.count > 1,
        "folder": document.folder.isEmpty ? Nothing() as Any : document.folder,
        "folder_link": Document.address(ofFolder: document.folder),
      ])
  }

  private func list(_ documents: [Document], in folder: String) -> Content {
    content(
      folder,
      [
        "list_name": folder,
        "documents": documents.map { ["link": $0.address, "name": $0.title] as Fields },
      ])
  }

  private func found(_ search: String) -> Content {
    let findings = DocumentSearch.ofProgram.findings(for: search)
    let shown = findings.map { finding -> Fields in
      let (section, title) = (finding.section, finding.section.document.title)
      let heading = section.heading.map(\.text) ?? title
      return [
        "link": section.address, "heading": heading,
        "document": heading == title ? Nothing() as Any : title,
        "pieces": finding.excerpt.map { ["words": $0.text, "sought": $0.isSought] as Fields },
      ]
    }
    return content(
      language.words.say("docs.found", ["search": search]),
      ["search": search, "findings": shown, "is_search": true, "none": shown.isEmpty])
  }

  private func content(_ title: String, _ fields: Fields) -> Content {
    let empty: Fields = [
      "search": "", "text": "", "has_text": false, "headings": [Fields](), "has_headings": false,
      "folder": Nothing(), "folder_link": "", "list_name": Nothing(), "documents": [Fields](),
      "findings": [Fields](), "is_search": false, "none": false,
    ]
    return Content("document", title, empty.merging(fields) { _, given in given })
  }
}
