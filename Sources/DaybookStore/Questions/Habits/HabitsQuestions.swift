extension QuestionRequest {
  /// The questions about habits, their days and streaks.
  static let habitTypes: [any Question.Type] = [
    TodayQuestion.self, StreaksQuestion.self, DisagreementsQuestion.self, HeatmapQuestion.self,
    ReplayQuestion.self, AuditQuestion.self, HistoryQuestion.self, StatsQuestion.self,
    HabitsQuestion.self, GoalsQuestion.self, FocusQuestion.self, RulesQuestion.self,
    ComparisonQuestion.self, StrengthQuestion.self, WhatIfQuestion.self, ThenAndNowQuestion.self,
    DifferenceQuestion.self,
  ]
}
