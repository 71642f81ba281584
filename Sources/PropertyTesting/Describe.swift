/// The text of a value in a report.
///
/// Strings are quoted, and a type's own description is used. Everything else is written without the module
/// names that the standard library puts before each element of a list.
func describe<Value>(_ value: Value) -> String {
  switch value {
  case let text as String: text.debugDescription
  case let character as Character: character.debugDescription
  case let composite as any Composite: composite.describedByParts
  case let own as any CustomStringConvertible: own.description
  case let own as any CustomDebugStringConvertible: own.debugDescription
  default: describeByMirror(value)
  }
}

/// A collection or optional of the standard library whose parts are described one by one.
private protocol Composite {
  var describedByParts: String { get }
}

extension Array: Composite {
  fileprivate var describedByParts: String { list(map { describe($0) }) }
}

extension ArraySlice: Composite {
  fileprivate var describedByParts: String { list(map { describe($0) }) }
}

extension Set: Composite {
  /// Ordered by description, because the order of a set differs between processes.
  fileprivate var describedByParts: String { list(map { describe($0) }.sorted()) }
}

extension Dictionary: Composite {
  /// Ordered by description.
  fileprivate var describedByParts: String {
    isEmpty ? "[:]" : list(map { "\(describe($0.key)): \(describe($0.value))" }.sorted())
  }
}

extension Optional: Composite {
  fileprivate var describedByParts: String { map { describe($0) } ?? "nil" }
}

private func list(_ parts: [String]) -> String {
  "[" + parts.joined(separator: ", ") + "]"
}

private func describeByMirror<Value>(_ value: Value) -> String {
  let mirror = Mirror(reflecting: value)
  switch mirror.displayStyle {
  case .tuple:
    return describeFields(mirror)
  case .struct:
    return "\(type(of: value))" + describeFields(mirror)
  case .enum:
    guard let (name, payload) = mirror.children.first, let name else {
      return String(describing: value)
    }
    let inner = Mirror(reflecting: payload)
    return inner.displayStyle == .tuple
      ? name + describeFields(inner) : "\(name)(\(describe(payload)))"
  default:
    return String(describing: value)
  }
}

/// The fields in parentheses, with labels where they exist.
private func describeFields(_ mirror: Mirror) -> String {
  let fields = mirror.children.map { label, value in
    // A tuple's field without a label is called `.0`.
    guard let label, !label.hasPrefix(".") else { return describe(value) }
    return "\(label): \(describe(value))"
  }
  return "(" + fields.joined(separator: ", ") + ")"
}
