extension Ingredient {
  /// Reads a line as recipes have them; what is not understood stays in ``text``, and nothing is refused.
  public init(parsing line: String) {
    self.init(text: line, food: line.isEmpty ? nil : line)
  }
}
