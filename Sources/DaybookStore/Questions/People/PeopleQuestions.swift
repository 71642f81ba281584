extension QuestionRequest {
  /// What can be asked about accounts, goals, hives and what they tell.
  static let peopleTypes: [any Question.Type] = []
}
