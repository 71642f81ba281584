/// How a habit is done: at one stroke, or counted up to a target (HH-7).
///
/// Daybook's own marks come from the target alone; the strength score and the `loop` rule treat the two
/// as Loop Habit Tracker treats its yes/no and numeric habits.
public enum HabitType: String, Hashable, Sendable, CaseIterable {
  /// Done or not done.
  case checkbox
  /// A value counted against a target.
  case counter
}
