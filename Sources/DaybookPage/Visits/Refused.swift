extension Visit {
  /// What was typed into a field of the form that was refused; `nil` if none was, or there was no such field.
  func typed(_ name: String) -> String? {
    refusal?.form.last { $0.name == name }?.value
  }

  /// All that was typed or chosen under a name; `nil` if no form was refused.
  func allTyped(_ name: String) -> [String]? {
    refusal?.form.filter { $0.name == name }.map(\.value)
  }

  /// The sentence of the refusal, for the template; nothing without one.
  ///
  /// - Parameter command: The command of the form, where a screen has several.
  /// - Returns: The sentence.
  func refusedSentence(of command: String? = nil) -> Any {
    guard let refusal, command == nil || typed("do") == command else { return Nothing() }
    return refusal.said(in: language.words)
  }
}
