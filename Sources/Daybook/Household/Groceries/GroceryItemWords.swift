import Kitchen

extension GroceryItem {
  /// The line in words: "2 l milk, fresh".
  package var shown: String { content.note.map { "\(content.called), \($0)" } ?? content.called }
}

extension GroceryItemContent {
  /// The line without its note: "2 l milk"; "2 g and some salt"; "4 × 1 kg" when the name begins with a number itself.
  package var called: String {
    let times = name.first?.isNumber == true ? "× " : ""
    let amounts = amounts.map(\.shown)
    guard amount != nil || !others.isEmpty, let last = amounts.last else { return name }
    let before = amounts.dropLast().joined(separator: ", ")
    return (before.isEmpty ? "" : "\(before) and ") + "\(last) \(times)\(name)"
  }
}
