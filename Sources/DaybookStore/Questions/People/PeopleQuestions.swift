extension QuestionRequest {
  /// What can be asked about accounts, hives, how they do and what they are told.
  static let peopleTypes: [any Question.Type] = [
    InsightsQuestion.self, MetricsQuestion.self, DueQuestion.self, FeedQuestion.self,
    HivesQuestion.self, HiveQuestion.self, MatchesQuestion.self, ProfileQuestion.self,
    AccountsQuestion.self, AwardsQuestion.self,
  ]
}
