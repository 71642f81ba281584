public import Kitchen
public import Avro

/// A step is its text, or an object that a client wrote; it is written as it was read.
extension RecipeStep: JSONForm {
  /// "a string, or an object".
  public static var jsonWords: String { "a string, or an object" }
  /// A string, or any object.
  public static var jsonSchema: JSON { ["type": ["string", "object"]] }
  /// Two steps.
  public static var examples: (RecipeStep, RecipeStep) { ("Cut.", "Stir.") }

  /// The members of an object that may hold the step's text, in order of preference.
  private static let wordsMembers = ["text", "instruction", "description", "step"]

  /// Reads a text or an object. An object's text is that of the first of these members that has one. An object without
  /// a text is shown as its JSON.
  ///
  /// - Throws: ``JSONFault/form`` when it is neither.
  public init(json: JSON, _ keys: some EntityKeys) throws(JSONFault) {
    if let text = json.text {
      self.init(text)
      return
    }
    guard json.members != nil else { throw .form }
    let object = json.canonicalText
    let words = Self.wordsMembers.lazy.compactMap { json[$0]?.text?.trimmingSpace }
      .first { !$0.isEmpty }
    self.init(words ?? object, object: object)
  }

  /// Its text, or the object.
  public func json(_ keys: some EntityKeys) -> JSON { writtenJSON }

  /// The step as it was written.
  package var writtenJSON: JSON {
    guard let object, let json = try? JSON(parsing: object) else { return .string(text) }
    return json
  }
}
