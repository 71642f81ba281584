extension QuestionRequest {
  /// What can be asked about households.
  static let householdTypes: [any Question.Type] = []
}
