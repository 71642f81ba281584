import Avro
import Daybook

/// Where JSON violates a schema: the name of the first wrong member, an empty name for the whole, or `nil` if it is
/// valid. Supports the parts of JSON Schema (draft 2020-12) that Daybook's schemas use.
func schemaFault(of json: JSON, _ schema: JSON) -> String? {
  if let constant = schema["const"], constant != json { return "" }
  if let values = schema["enum"]?.elements, !values.contains(json) { return "" }
  if let parts = schema["anyOf"]?.elements,
    parts.allSatisfy({ schemaFault(of: json, $0) != nil })
  {
    return ""
  }
  let types = schema["type"]?.text.map { [$0] } ?? schema["type"]?.elements?.compactMap(\.text)
  if let types, !types.contains(where: { json.isOf(type: $0) }) { return "" }
  switch json {
  case .string(let text): return textFault(text, schema) ? "" : nil
  case .number(let text): return numberFault(text, schema) ? "" : nil
  case .array(let elements):
    guard let items = schema["items"] else { return nil }
    return elements.contains { schemaFault(of: $0, items) != nil } ? "" : nil
  case .object(let members): return objectFault(members, schema)
  case .null, .bool: return nil
  }
}

private func objectFault(_ members: [JSON.Member], _ schema: JSON) -> String? {
  guard let properties = schema["properties"] else { return nil }
  for member in members {
    guard let own = properties[member.name] else {
      if schema["additionalProperties"] == false { return member.name }
      continue
    }
    if schemaFault(of: member.value, own) != nil { return member.name }
  }
  return (schema["required"]?.elements ?? []).compactMap(\.text).first { name in
    !members.contains { $0.name == name }
  }
}

private func textFault(_ text: String, _ schema: JSON) -> Bool {
  if let least = schema["minLength"]?.integer, text.unicodeScalars.count < least { return true }
  switch schema["format"]?.text {
  case "uuid": if Key(text) == nil { return true }
  case "date": if Day(text) == nil { return true }
  case "date-time": if Instant(text) == nil { return true }
  default: break
  }
  guard let pattern = schema["pattern"]?.text else { return false }
  guard let expression = try? Regex(pattern) else { return true }
  return text.firstMatch(of: expression) == nil
}

private func numberFault(_ text: String, _ schema: JSON) -> Bool {
  guard let value = Double(text) else { return true }
  func bound(_ name: String) -> Double? {
    guard case .number(let text)? = schema[name] else { return nil }
    return Double(text)
  }
  if let least = bound("minimum"), value < least { return true }
  if let most = bound("maximum"), value > most { return true }
  guard let step = bound("multipleOf") else { return false }
  return abs((value / step).rounded() * step - value) > step / 1000
}

extension JSON {
  fileprivate func isOf(type: String) -> Bool {
    switch self {
    case .null: type == "null"
    case .bool: type == "boolean"
    case .number: type == "number" || type == "integer" && integer != nil
    case .string: type == "string"
    case .array: type == "array"
    case .object: type == "object"
    }
  }
}

/// A schema without sizes and patterns, which leaves the form of a value.
func withoutBounds(_ schema: JSON) -> JSON {
  let bounds = [
    "minimum", "maximum", "multipleOf", "minLength", "maxLength", "pattern", "minItems", "maxItems",
  ]
  guard let members = schema.members else { return schema }
  return .object(
    members.filter { !bounds.contains($0.name) }.map { member in
      guard member.name == "anyOf", let parts = member.value.elements else { return member }
      return JSON.Member("anyOf", .array(parts.map { withoutBounds($0) }))
    })
}
