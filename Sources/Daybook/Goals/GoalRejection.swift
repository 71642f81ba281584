// Why a command about a goal is refused.
extension Rejection {
  /// There is no such goal, or it was deleted.
  public static let goalNotFound = Rejection(.goalNotFound, "There is no such goal.")

  /// The goal's title is empty.
  public static let emptyGoalTitle = Rejection(.emptyTitle, "title: a goal needs a title.")
}
