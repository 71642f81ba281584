import Values
import Avro

extension RecipeImport {
  /// Every recipe in a text: JSON-LD itself, or a page that contains it in
  /// `<script type="application/ld+json">`.
  ///
  /// Line breaks inside strings, which JSON forbids but pages contain, are read as spaces. A script that is
  /// not JSON is skipped if another one holds a recipe.
  ///
  /// - Throws: ``RecipeImportError`` when there is no recipe.
  package static func recipes(inText text: String) throws(RecipeImportError) -> [RecipeImport] {
    guard text.utf8.count <= Limit.pageBytes.maximum else { throw .tooLarge }
    let start = text.first { !$0.isWhitespace && $0 != "\u{FEFF}" }
    guard start == "<" else { return try recipes(in: try lenientJSON(text)) }
    var recipes: [RecipeImport] = []
    var failure = RecipeImportError.noRecipe
    for script in RecipePage.scripts(of: text) {
      do throws(RecipeImportError) {
        recipes += try self.recipes(in: try lenientJSON(script))
      } catch {
        if error != .noRecipe { failure = error }
      }
    }
    guard !recipes.isEmpty else { throw failure }
    return recipes
  }

  private static func lenientJSON(_ text: String) throws(RecipeImportError) -> JSON {
    let bytes = text.utf8.map { $0 < 0x20 ? 0x20 : $0 }
    let isMark = bytes.starts(with: [0xEF, 0xBB, 0xBF])
    do throws(JSONError) {
      return try JSON(parsing: isMark ? Array(bytes.dropFirst(3)) : bytes)
    } catch {
      throw .notJSON(error)
    }
  }
}

/// A page as text, with just enough HTML parsing to find its data.
enum RecipePage {
  /// The contents of the JSON-LD scripts, in order.
  static func scripts(of page: String) -> [String] {
    let bytes = Array(page.utf8)
    let lower = bytes.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
    var scripts: [String] = []
    var offset = 0
    while let open = find("<script", in: lower, from: offset),
      let tagEnd = find(">", in: lower, from: open),
      let close = find("</script", in: lower, from: tagEnd)
    {
      let tag = String(decoding: lower[open..<tagEnd], as: UTF8.self)
      if tag.contains("application/ld+json") {
        let content = String(decoding: bytes[(tagEnd + 1)..<close], as: UTF8.self)
        scripts.append(withoutEnvelope(content))
      }
      offset = close
    }
    return scripts
  }

  /// The script without the comment or CDATA marks that once hid scripts from old browsers.
  private static func withoutEnvelope(_ script: String) -> String {
    guard let start = script.firstIndex(where: { $0 == "{" || $0 == "[" }),
      let end = script.lastIndex(where: { $0 == "}" || $0 == "]" }), start <= end
    else { return script }
    var content = script[start...]
    if script[..<start].contains("<!"), script[start...].hasPrefix("[CDATA[") {
      content = content.dropFirst(7)
      guard let last = content.lastIndex(of: "}") else { return script }
      return String(content[...last])
    }
    return String(script[start...end])
  }

  private static func find(_ text: StaticString, in bytes: [UInt8], from offset: Int) -> Int? {
    let wanted = Array("\(text)".utf8)
    guard bytes.count >= wanted.count, let first = wanted.first else { return nil }
    var index = offset
    while index <= bytes.count - wanted.count {
      if bytes[index] == first, bytes[index..<index + wanted.count].elementsEqual(wanted) {
        return index
      }
      index += 1
    }
    return nil
  }
}
