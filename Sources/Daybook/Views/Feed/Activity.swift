public import Calendar

/// An activity that is worth showing: a line of a feed (HH-24).
///
/// An activity is shown once, and stays: repeating or undoing a log changes nothing about it (R8).
public struct Activity: Hashable, Sendable {
  /// The kind of activity.
  public enum Kind: String, Sendable, CaseIterable {
    /// A habit's day reached its target for the first time.
    case habitCompleted = "habit_completed"
    /// A streak reached one of the milestones (``Milestone``).
    case streakMilestone = "streak_milestone"
    /// A person joined a hive.
    case hiveJoined = "hive_joined"
    /// A hive's day advanced.
    case hiveAdvanced = "hive_advanced"
    /// A hive's day ended the shared streak.
    case hiveBroken = "hive_broken"
  }

  /// The entry that caused it.
  public var position: Int64
  /// When that was recorded.
  public var at: Instant
  /// The kind of activity.
  public var kind: Kind
  /// The account that caused it; nobody when a hive's streak broke.
  public var actor: Account.ID?
  /// The habit that it is about, unless it is about a hive.
  public var habit: Habit.ID?
  /// The hive that it is about, or through which a viewer sees it.
  public var hive: Hive.ID?
  /// The day that it is about.
  public var day: Day
  /// The milestone; for a hive's day the length of the shared streak with it, or of the one that it ended.
  public var streak: Int?

  init(
    _ kind: Kind, at head: EntryHead, actor: Account.ID? = nil, habit: Habit.ID? = nil,
    hive: Hive.ID? = nil, day: Day, streak: Int? = nil
  ) {
    position = head.position
    at = head.at
    self.kind = kind
    self.actor = actor
    self.habit = habit
    self.hive = hive
    self.day = day
    self.streak = streak
  }

  /// A stable name: `17`, or `17-7` for the milestone of 7 days that entry 17 reached.
  public var id: String {
    kind == .streakMilestone ? "\(position)-\(streak ?? 0)" : String(position)
  }

  /// Orders activities, oldest first; for one entry the action comes before the milestones that it reached.
  static func isBefore(_ left: Activity, _ right: Activity) -> Bool {
    (left.position, left.milestone) < (right.position, right.milestone)
  }

  private var milestone: Int { kind == .streakMilestone ? streak ?? 0 : 0 }
}
