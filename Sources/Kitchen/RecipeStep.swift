/// One step of a recipe.
public struct RecipeStep: Hashable, Sendable, ExpressibleByStringLiteral {
  /// The instruction, in words.
  public let text: String
  /// The JSON object that a client wrote, if it held more than the words.
  package let object: String?

  public init(_ text: String) { self.init(text, object: nil) }

  package init(_ text: String, object: String?) {
    self.text = text
    self.object = object
  }

  /// Makes a step from its words: `"Cut."`.
  public init(stringLiteral text: String) { self.init(text) }
}
