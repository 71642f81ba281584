import DaybookDocuments

/// A document for everybody: how data is kept, the terms, the licences (DG-9).
enum LegalDocument: String, CaseIterable {
  case privacy, terms, licences

  /// Its address on the page.
  var address: String { "/legal/\(rawValue)" }

  /// The document that a relative link of another means.
  init?(file: Substring) {
    let found = Self.allCases.first { file.lowercased().hasSuffix("\($0.rawValue).md") }
    guard let found else { return nil }
    self = found
  }

  private var file: String {
    switch self {
    case .privacy: "Legal/Privacy.md"
    case .terms: "Legal/Terms.md"
    case .licences: "Legal/Licences.md"
    }
  }

  /// The documents as markup. They change only with the program.
  private static let markup: [LegalDocument: String] = Dictionary(
    uniqueKeysWithValues: allCases.map { document in
      (
        document,
        Document(path: document.file)?.markdown.html { link in
          Document.elsewhere(link) ?? LegalDocument(file: link.prefix { $0 != "#" })?.address
        } ?? ""
      )
    })

  var html: String { Self.markup[self] ?? "" }
}

/// The documents, or one of them; nobody needs to sign in for them.
struct LegalScreen: Screen {
  private let document: LegalDocument

  /// - Parameter path: The path, `legal` alone for the first document.
  init?(at path: [String]) {
    guard path.first == "legal", path.count <= 2,
      let document = LegalDocument(rawValue: path.dropFirst().first ?? "privacy")
    else { return nil }
    self.document = document
  }

  func content(_ visit: Visit) async throws -> Content { content(in: visit.language) }

  /// The document, which is in English, among links to the others.
  func content(in language: Language) -> Content {
    let documents = LegalDocument.allCases.map {
      [
        "link": $0.address, "name": language.words.say("legal.\($0.rawValue)"),
        "current": $0 == document,
      ] as Fields
    }
    return Content(
      "legal", language.words.say("legal.\(document.rawValue)"),
      ["documents": documents, "text": document.html])
  }
}
