import Daybook

extension QuestionRequest {
  /// What can be asked about tasks and labels.
  static let taskTypes: [any Question.Type] = [
    TasksQuestion.self, TaskHistoryQuestion.self, LabelsQuestion.self, RecentQuestion.self,
  ]
}

extension BookView {
  /// The account that asks, which sees nothing once it was erased.
  ///
  /// - Throws: ``Rejection/accountNotFound``.
  func account(_ number: Account.ID) throws(Rejection) -> Account {
    guard let account = state.accounts[number], !account.isErased else { throw .accountNotFound }
    return account
  }
}
