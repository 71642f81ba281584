@testable import DaybookDocuments
import Foundation
import Testing

/// The documentation that is in the program.
@Suite(.tags(.unit)) struct DocumentTests {
  /// The package's directory.
  private static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()
  private static let folder = root.appending(path: "Docs", directoryHint: .isDirectory)

  @Test func `every page of Docs is in the program as it is`() throws {
    let base = Self.folder.path(percentEncoded: false)
    let files = try #require(FileManager.default.enumerator(atPath: base))
    let names = files.compactMap { $0 as? String }.filter { $0.hasSuffix(".md") }
    #expect(
      Set(names) == Set(Document.all.map(\.path)),
      "run python3 Tests/Generated/generate_documents.py")
    for document in Document.all {
      let file = try String(contentsOf: Self.folder.appending(path: document.path), encoding: .utf8)
      #expect(document.text == file, "\(document.path)")
    }
  }

  @Test func `every link leads to a page and a heading that are there`() throws {
    var links = 0
    for document in Document.all {
      for match in document.html.matches(of: /href="([^"]*)"/) {
        let target = String(match.output.1)
        links += 1
        if target.hasPrefix("https://") { continue }
        let parts = target.split(separator: "#", omittingEmptySubsequences: false).map(String.init)
        let path = parts[0].split(separator: "/").map(String.init)
        if path.isEmpty {
          try expectHeading(parts.last, in: document, from: document)
        } else if let other = Document(at: Array(path.dropFirst())) {
          #expect(path.first == "docs" && other.address == parts[0])
          if parts.count > 1 { try expectHeading(parts[1], in: other, from: document) }
        } else {
          let name = path.dropFirst().joined(separator: "/")
          #expect(!Document.inFolder(name).isEmpty, "\(document.path): \(target)")
        }
      }
    }
    #expect(links > 300)
  }

  private func expectHeading(
    _ anchor: String?, in other: Document, from document: Document
  ) throws {
    let anchor = try #require(anchor)
    #expect(
      other.html.contains("<h2 id=\"\(anchor)\"") || other.html.contains("<h3 id=\"\(anchor)\"")
        || other.html.contains("<h4 id=\"\(anchor)\""),
      "\(document.path): \(other.path) has no heading #\(anchor)")
  }

  @Test func `a link that is shown as text means a file of the package`() {
    for document in Document.all {
      // Whatever the page cannot show must at least be there for those who read the files.
      _ = document.markdown.html { link in
        guard document.target(of: link) == nil else { return nil }
        let file = Self.folder.appending(path: document.path).deletingLastPathComponent()
          .appending(path: String(link.prefix { $0 != "#" })).standardizedFileURL
        #expect(
          FileManager.default.fileExists(atPath: file.path(percentEncoded: false)),
          "\(document.path): \(link)")
        return nil
      }
    }
  }

  @Test func `the markup of every page is of the tags that are made, and their names are unique`() {
    let tags =
      #/<\/?(h[1-6]|p|ul|ol|li|pre|code|div|table|thead|tbody|tr|th|td|strong|em|a)( (id|href|class|tabindex|role|scope|start)="[^"<>]*")*>/#
    for document in Document.all {
      let html = document.html
      #expect(!html.replacing(tags, with: "").contains("<"), "\(document.path)")
      let names = html.matches(of: /id="([^"]*)"/).map { String($0.output.1) }
      #expect(Set(names).count == names.count, "\(document.path)")
      // A fence, a link or a heading that was not understood would be left as it was.
      let text = html.replacing(/(?s)<code>.*?<\/code>/, with: "")
      #expect(!text.contains("](") && !text.contains("```") && !text.contains("\n#"))
    }
  }

  @Test(
    arguments: [
      ("Page.md", "Server.md#signing-in", "/docs/Server#section-signing-in"),
      ("Page.md", "#tasks", "#section-tasks"), ("Page.md", "Legal", "/docs/Legal"),
      ("Legal/Privacy.md", "../Server.md", "/docs/Server"),
      ("Legal/Privacy.md", "Terms.md", "/docs/Legal/Terms"), ("Page.md", "README.md", "/docs"),
      ("Page.md", "../Tests/Page/journeys.py", nil), ("Page.md", "../../Docs/Page.md", nil),
      ("Page.md", "javascript:alert(1)", nil), ("Page.md", "", nil), ("Page.md", "//a.test", nil),
      ("Page.md", "https://a.test/b#c", "https://a.test/b#c"),
    ] as [(String, String, String?)])
  func `links lead to the pages here`(page: String, link: String, target: String?) throws {
    #expect(try #require(Document(path: page)).target(of: link) == target)
  }

  @Test func `only the pages have addresses`() {
    #expect(Document(at: [])?.path == "README.md")
    #expect(Document(at: ["Legal", "Terms"])?.title == "Terms")
    for path in [["README"], ["nothing"], ["Legal"], ["..", "README"], ["Server.md"], [""]] {
      #expect(Document(at: path) == nil, "\(path)")
    }
  }
}
