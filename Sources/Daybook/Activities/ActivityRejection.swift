// Rejections of commands about a posted activity.
extension Rejection {
  /// There is no such activity.
  package static let activityNotFound = Rejection(
    .activityNotFound, "There is no such activity.")
}
