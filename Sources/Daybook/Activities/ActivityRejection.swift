// Why a command about a posted activity is refused.
extension Rejection {
  /// There is no such activity.
  package static let activityNotFound = Rejection(
    .activityNotFound, "There is no such activity.")
}
