import Avro
import Daybook
import Wire

extension WireQuery {
  /// The question in a query, in its JSON form.
  ///
  /// A column's type decides what its text means: a number, a boolean, a list, or the text itself. A text that does
  /// not fit its type stays a text, and is refused when the question is read.
  ///
  /// - Parameters:
  ///   - name: The name of the question.
  ///   - columns: The columns of the question.
  /// - Returns: The question.
  /// - Throws: ``APIRefusal`` for a field that occurs twice and is not a list, and for a field called `ask`.
  func question(_ name: String, columns: [Column]) throws(APIRefusal) -> JSON {
    var members: [JSON.Member] = [.init("ask", .string(name))]
    var texts: [String: [String]] = [:]
    for item in items { texts[item.name, default: []].append(item.value) }
    // The order is fixed, so that the same question is always the same text.
    for (field, values) in texts.sorted(by: { $0.key < $1.key }) {
      if field == "ask" { throw .invalid(field, "the path already names the question") }
      let schema = columns.first { $0.name == field }?.schema ?? ["type": "string"]
      if let items = schema.listItems {
        let parts = values.flatMap { $0.split(separator: ",", omittingEmptySubsequences: false) }
        members.append(.init(field, .array(parts.map { items.value(of: String($0)) })))
      } else {
        guard let value = values.first, values.count == 1 else {
          throw .invalid(field, "it is given twice")
        }
        members.append(.init(field, schema.value(of: value)))
      }
    }
    return .object(members)
  }
}

extension JSON {
  /// The schema of a list's elements, if this is the schema of a list.
  var listItems: JSON? {
    if let parts = self["anyOf"]?.elements { return parts.lazy.compactMap(\.listItems).first }
    guard types.contains("array") else { return nil }
    return self["items"] ?? true
  }

  /// The types that a schema names.
  fileprivate var types: [String] {
    if let parts = self["anyOf"]?.elements { return parts.flatMap(\.types) }
    return self["type"]?.text.map { [$0] } ?? self["type"]?.elements?.compactMap(\.text) ?? []
  }

  /// The value that a text means under a schema.
  fileprivate func value(of text: String) -> JSON {
    let types = types
    if types.contains("boolean"), text == "true" || text == "false" { return .bool(text == "true") }
    if types.contains("integer") || types.contains("number"),
      let json = try? JSON(parsing: text), case .number = json
    {
      return json
    }
    return .string(text)
  }
}
