// Rejections of commands about a goal.
extension Rejection {
  /// There is no such goal, or it was deleted.
  package static let goalNotFound = Rejection(.goalNotFound, "There is no such goal.")

  /// The goal's title is empty.
  package static let emptyGoalTitle = Rejection(.emptyTitle, "title: a goal needs a title.")
}
