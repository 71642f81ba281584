extension QuestionRequest {
  /// What can be asked about habits, their days and streaks.
  static let habitTypes: [any Question.Type] = [
    TodayQuestion.self, StreaksQuestion.self, HeatmapQuestion.self,
  ]
}
