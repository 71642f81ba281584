import Daybook

extension QuestionRequest {
  /// The questions about tasks and labels.
  static let taskTypes: [any Question.Type] = [
    TasksQuestion.self, TaskHistoryQuestion.self, LabelsQuestion.self, RecentQuestion.self,
  ]
}

extension BookView {
  /// The account that asks; an erased account sees nothing.
  ///
  /// - Throws: ``Rejection/accountNotFound``.
  func account(_ number: Account.ID) throws(Rejection) -> Account {
    guard let account = state.accounts[number], !account.isErased else { throw .accountNotFound }
    return account
  }
}
