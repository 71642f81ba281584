public import Values
public import Calendar

/// An activity that a client posted (HH-24); nothing else is computed from it.
public struct PostedActivity: Entity, Hashable {
  /// The number of a posted activity in its book.
  public typealias ID = EntityNumber<PostedActivity>
  /// "activity-number".
  @inlinable
  public static var entityName: StaticString { "activity-number" }

  /// The client's name for the activity.
  public internal(set) var key: Key
  /// The account that posted it.
  public internal(set) var owner: Account.ID
  /// The hive in which it is shown, if any.
  public internal(set) var hive: Hive.ID?
  /// The habit that it is about, if it is about one.
  public internal(set) var habit: Habit.ID?
  /// The kind of activity.
  public internal(set) var kind: Activity.Kind
  /// More data from the client, as the text of a JSON object.
  public internal(set) var data: String
  /// When it was posted.
  public internal(set) var created: Instant
  /// Whether it is hidden because the account that posted it was erased.
  public internal(set) var isDeleted = false

  /// The name of its kind: an activity has no other name.
  public var displayName: String { kind.rawValue }
  /// The account that posted it.
  public var ownedBy: Account.ID? { owner }
}

extension PostedActivity: StoredEntity {
  static var kind: EntityKind { .activity }
  static var table: WritableKeyPath<BookState, Table<PostedActivity>> { \.activities }
  static var countField: StaticString { "activities" }
  static var plural: String { "posted activities" }
  static var notFound: Rejection { .activityNotFound }

  mutating func erase(at instant: Instant) {
    data = ""
    isDeleted = true
  }

  static func creation(of lost: LostEntity) -> Event {
    var activity = ActivityPosted.placeholder
    (activity.key, activity.account, activity.data) = (lost.key, lost.owner, "{}")
    return .activityPosted(activity)
  }
}

extension ActivityPosted: CreationEvent {
  func created(_ head: EntryHead) -> PostedActivity {
    PostedActivity(
      key: key, owner: account, hive: hive, habit: habit,
      kind: kind, data: data, created: head.at)
  }
}

extension BookState {
  /// The activities that an account posted, oldest first, without those about deleted hives and habits.
  package func postedActivities(
    of account: Account.ID
  ) -> [(number: PostedActivity.ID, activity: PostedActivity)] {
    shown(indexes.owned[PostedActivity.self][account])
  }

  /// The activities that are shown in a hive, oldest first, without those about deleted habits. The caller checks that
  /// the viewer is a member of the hive.
  package func postedActivities(
    in hive: Hive.ID
  ) -> [(number: PostedActivity.ID, activity: PostedActivity)] {
    shown(indexes.activities.activities(in: hive))
  }

  /// The activity of a key, if it is the viewer's own or shown in one of the viewer's hives.
  package func postedActivity(of key: Key, for viewer: Account.ID) -> PostedActivity? {
    guard let number = activities.number(of: key), let activity = activities[number],
      isShown(activity)
    else { return nil }
    if activity.owner == viewer { return activity }
    guard let hive = activity.hive, hives[hive]?.member(viewer) != nil else { return nil }
    return activity
  }

  private func shown(
    _ numbers: [PostedActivity.ID]
  ) -> [(number: PostedActivity.ID, activity: PostedActivity)] {
    numbers.compactMap { number in
      guard let activity = activities[number], isShown(activity) else { return nil }
      return (number, activity)
    }
  }

  /// Whether an activity is still shown: one about a deleted entity is not.
  func isShown(_ activity: PostedActivity) -> Bool {
    guard !activity.isDeleted else { return false }
    if let hive = activity.hive, hives[hive]?.isDeleted != false { return false }
    return activity.habit.map { habits[$0]?.isDeleted == false } ?? true
  }
}
