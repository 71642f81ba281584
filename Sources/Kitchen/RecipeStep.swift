/// One step of a recipe: what to do.
public struct RecipeStep: Hashable, Sendable, ExpressibleByStringLiteral {
  /// What to do, in words.
  public let text: String
  /// The step as a client wrote it, where that was an object of more than its words: its JSON.
  package let object: String?

  /// A step that is its words.
  public init(_ text: String) { self.init(text, object: nil) }

  /// A step as a client wrote it.
  package init(_ text: String, object: String?) {
    self.text = text
    self.object = object
  }

  /// `"Cut."`.
  public init(stringLiteral text: String) { self.init(text) }
}
