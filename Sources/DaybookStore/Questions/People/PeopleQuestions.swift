extension QuestionRequest {
  /// The questions about accounts, hives, progress and notifications.
  static let peopleTypes: [any Question.Type] = [
    InsightsQuestion.self, MetricsQuestion.self, DueQuestion.self, FeedQuestion.self,
    HivesQuestion.self, HiveQuestion.self, MatchesQuestion.self, ProfileQuestion.self,
    AccountsQuestion.self, AwardsQuestion.self, DensityQuestion.self, MomentQuestion.self,
    EntriesQuestion.self,
  ]
}
