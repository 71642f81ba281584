extension QuestionRequest {
  /// What can be asked about tasks and labels.
  static let taskTypes: [any Question.Type] = []
}
