import Kitchen

extension GroceryItem {
  /// The line as a person reads it: "2 l milk, fresh".
  package var shown: String { content.note.map { "\(content.called), \($0)" } ?? content.called }
}

extension GroceryItemContent {
  /// The line without its note: "2 l milk"; "4 × 1 kg" of a text that begins with a number itself.
  package var called: String {
    let times = name.first?.isNumber == true ? "× " : ""
    return quantity.map { "\($0.shown) \(times)\(name)" } ?? name
  }
}
