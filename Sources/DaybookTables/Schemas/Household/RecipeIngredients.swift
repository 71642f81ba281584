import Avro
import Daybook
import Kitchen
import Values

/// An app's ingredient is any JSON, and comes back as it was written. What the book understands of it are its parts;
/// beside them stand, in `extra`, the members that are none, or under no name the whole of what would come back otherwise.
extension Ingredient {
  private static let wholeName = ""

  /// It as apps have it: as it was written, else those of its parts that there are, its line only where that says more,
  /// and what an app wrote besides. A category that the book does not know is told as it was written.
  var rowJSON: JSON {
    let extra = extraMembers
    if let whole = extra.first(where: { $0.name == Self.wholeName }) { return whole.value }
    var parts: [JSON.Member] = []
    let add = { (name: String, value: JSON?) in
      if let value { parts.append(JSON.Member(name, value)) }
    }
    add("quantity", amount?.json)
    add("upper_quantity", upperAmount?.json)
    add("unit", unit.map { .string($0) })
    add("name", food.map { .string($0) })
    add("category", category.map { .string($0.rawValue) })
    add("note", note.map { .string($0) })
    add("recipe_id", recipe.map { .string($0.description) })
    if text != Self.words(amount, unit, food, note) { add("text", .string(text)) }
    if extra.contains(where: { $0.name == "category" && $0.value != .null }) {
      parts.removeAll { $0.name == "category" }
    }
    let own = Set(parts.map(\.name))
    return .object(parts + extra.filter { !own.contains($0.name) })
  }

  /// The JSON of an app in the words of the commands.
  static func parts(of written: JSON) -> JSON {
    let folded = written.members.map(folded) ?? written.onOneLine
    guard let read = try? Ingredient(json: folded, NoKeys()), !read.text.trimmingSpace.isEmpty,
      !read.text.hasControls
    else {
      return ["text": .string(words(of: written)), "extra": .object([.init(wholeName, written)])]
    }
    guard read.rowJSON.canonicalText != written.canonicalText else { return folded }
    var parts = (read.json(NoKeys()).members ?? []).filter { $0.name != "extra" }
    parts.append(.init("extra", .object([.init(wholeName, written)])))
    return .object(parts)
  }

  /// The parts that Daybook knows, and the others apart.
  private static func folded(_ members: [JSON.Member]) -> JSON {
    var (parts, extra): ([JSON.Member], [JSON.Member]) = ([], [])
    for member in members {
      if member.name == "category", let text = member.value.text,
        GroceryCategory(rawValue: text) == nil
      {
        parts.append(JSON.Member("category", .string(GroceryCategory.other.rawValue)))
        extra.append(member)
      } else if partNames.contains(member.name), member.value != .null {
        parts.append(JSON.Member(member.name, member.value.onOneLine))
      } else {
        extra.append(member)
      }
    }
    if !extra.isEmpty { parts.append(JSON.Member("extra", .object(extra))) }
    return .object(parts)
  }

  /// Words for what is no ingredient: its first text, else its JSON.
  private static func words(of written: JSON) -> String {
    let texts = (written.members ?? []).lazy.compactMap { $0.value.text?.trimmingSpace }
    return texts.first { !$0.isEmpty && !$0.hasControls } ?? written.canonicalText
  }
}

extension JSON {
  /// A text as it stands on a line, on which the book has the parts of an ingredient; anything else as it is.
  fileprivate var onOneLine: JSON {
    text.flatMap { $0.hasControls ? .string($0.asOneLine) : nil } ?? self
  }
}

/// An ingredient has no numbers of entities.
private struct NoKeys: EntityKeys {
  func number(of key: JSON, in kind: StaticString) throws(JSONFault) -> Int32 { throw .form }
  func key(of number: Int32, in kind: StaticString) -> JSON { .null }
}
