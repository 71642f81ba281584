import Avro
import Daybook
import Kitchen
import Values

/// An app's ingredient is any JSON, and is returned as it was written. The book understands the members that are
/// its parts. `extra` holds the other members or, under the empty name, the whole JSON if it could not be rebuilt
/// otherwise.
extension Ingredient {
  private static let wholeName = ""

  /// The ingredient as apps write it: the original JSON if it was kept whole; otherwise its parts, its line where
  /// that says more, and the extra members. An unknown category is returned as it was written.
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

  /// An app's JSON in the form that commands read.
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

  /// The parts that Daybook knows, and the other members under `extra`.
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

  /// The text of something that is not an ingredient: its first text, or else its JSON.
  private static func words(of written: JSON) -> String {
    let texts = (written.members ?? []).lazy.compactMap { $0.value.text?.trimmingSpace }
    return texts.first { !$0.isEmpty && !$0.hasControls } ?? written.canonicalText
  }
}

extension JSON {
  /// A text on one line, as the book keeps the parts of an ingredient; any other JSON unchanged.
  fileprivate var onOneLine: JSON {
    text.flatMap { $0.hasControls ? .string($0.asOneLine) : nil } ?? self
  }
}

/// Ingredients refer to no entities.
private struct NoKeys: EntityKeys {
  func number(of key: JSON, in kind: StaticString) throws(JSONFault) -> Int32 { throw .form }
  func key(of number: Int32, in kind: StaticString) -> JSON { .null }
}
