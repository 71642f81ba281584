public import Kitchen
public import Avro

extension Rational: AvroRecord {
  public static var recordName: String { "Rational" }
  public static var placeholder: Rational { .zero }

  /// The numerator and the denominator.
  public mutating func visitFields<V: AnyFieldVisitor>(_ visitor: inout V) throws(V.Failure) {
    var (above, below) = (numerator, denominator)
    try visitor.visit("numerator", &above)
    try visitor.visit("denominator", &below, [.doc("at least 1, in lowest terms")])
    self = Rational(above, over: below) ?? .zero
  }

  /// Reads the numerator and the denominator.
  ///
  /// - Throws: ``AvroError/valueOutOfRange(_:)`` when they are not in lowest terms: a number has only one form.
  @_lifetime(reader: copy reader)
  public init(from reader: inout BinaryReader) throws(AvroError) {
    let above = try reader.takeLong()
    let below = try reader.takeLong()
    guard below > 0, let number = Rational(above, over: below), number.denominator == below else {
      throw .outOfRange("a fraction")
    }
    self = number
  }
}

extension Ingredient: AvroRecord {
  public static var recordName: String { "Ingredient" }
  public static var placeholder: Ingredient { Ingredient(text: "") }

  public mutating func visitFields<V: AnyFieldVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.visit("text", &text, [.doc("the line as it was written"), .personal, .mayBeEmpty])
    try visitor.visit("amount", &amount)
    try visitor.visit("unit", &unit, [.personal])
    try visitor.visit("food", &food, [.personal])
    try visitor.visit("note", &note, [.personal])
    try visitor.visit("category", &category)
    try visitor.visit("recipe", &recipe, [.doc("a recipe used in this one, amount times")])
    try visitor.visit(
      "upper_amount", &upperAmount, [.doc("where the line says from how much to how much")])
    try visitor.visit(
      "extra", &extra,
      [.personal, .doc("what a client wrote of it besides these parts: a JSON object")])
  }
}

extension RecipeContent: AvroRecord, Columns {
  public static var recordName: String { "RecipeContent" }
  public static var placeholder: RecipeContent { RecipeContent(title: "") }

  public mutating func visitFields<V: AnyFieldVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitPartsBeforeSteps(&visitor)
    var texts = steps.map(\.text)
    // Most recipes have no step that is an object: then the list is empty.
    var objects = steps.contains { $0.object != nil } ? steps.map { $0.object ?? "" } : []
    try visitor.visit("steps", &texts, [.personal])
    try visitor.visit(
      "step_objects", &objects,
      [
        .personal,
        .doc("the steps as a client wrote them: JSON, empty for those that are their words"),
      ])
    steps = texts.enumerated().map { index, text in
      let object = objects.indices.contains(index) ? objects[index] : ""
      return RecipeStep(text, object: object.isEmpty ? nil : object)
    }
    try visitPartsAfterSteps(&visitor)
  }

  /// The columns in their order; the fields of steps form one column.
  ///
  /// - Throws: what the visitor throws.
  public mutating func visitColumns<V: ColumnVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitPartsBeforeSteps(&visitor)
    try visitor.column("steps", &steps)
    try visitPartsAfterSteps(&visitor)
  }

  private mutating func visitPartsBeforeSteps<V: AnyFieldVisitor>(_ visitor: inout V) throws(V
    .Failure)
  {
    try visitor.visit("title", &title, [.personal, .needed])
    try visitor.visit("source_url", &sourceURL, [.personal])
    try visitor.visit("source_type", &sourceType, [.personal])
    try visitor.visit("base_servings", &baseServings)
    try visitor.visit("ingredients", &ingredients)
  }

  private mutating func visitPartsAfterSteps<V: AnyFieldVisitor>(_ visitor: inout V) throws(V
    .Failure)
  {
    try visitor.visit("tags", &tags, [.personal])
    try visitor.visit(
      "prep_minutes", &prepMinutes, [.column("prep_time"), .bounds(["minimum": 0])])
    try visitor.visit(
      "cook_minutes", &cookMinutes, [.column("cook_time"), .bounds(["minimum": 0])])
    try visitor.visit("notes", &notes, [.personal])
  }
}
