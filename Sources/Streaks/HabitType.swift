/// How a habit is done: in one go, or counted up to a target (HH-7).
///
/// Daybook's own marks depend on the target alone. The strength score and the `loop` rule treat the two types
/// as Loop Habit Tracker treats its yes/no and numeric habits.
public enum HabitType: String, Hashable, Sendable, CaseIterable {
  /// Done or not done.
  case checkbox
  /// A value counted against a target.
  case counter
}
