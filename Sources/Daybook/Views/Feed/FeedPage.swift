import Values
public import Avro

extension Feed {
  /// Some lines of a feed, newest first.
  public struct Page: Sendable {
    /// The lines.
    public let lines: [Line]
    /// The position before which the next page begins; nothing when there are no more pages.
    public let next: Int64?

    /// The page as JSON, in the form of `daybook feed --json`.
    public var json: JSON {
      [
        "entries": .array(lines.map(\.json)), "next": next.map { .number($0) } ?? .null,
      ]
    }
  }

  /// A line of a feed as its viewer sees it: of other people, only name and picture.
  public struct Line: Sendable {
    /// The activity.
    public let activity: Activity
    /// Whether the viewer caused it.
    public let isOwn: Bool
    /// The name of the person who caused it; nobody when a hive's streak broke.
    public let actorName: String?
    /// The address of the person's picture.
    public let avatarURL: String?
    /// The name of the viewer's habit, when it is about one.
    public let habitName: String?
    /// The name of the hive, when it is about one.
    public let hiveName: String?
    private let habitKey: Key?
    private let hiveKey: Key?

    init(_ activity: Activity, for viewer: Account.ID, in state: BookState) {
      self.activity = activity
      isOwn = activity.actor == viewer
      let actor = activity.actor.flatMap { state.accounts[$0] }
      actorName = actor?.displayName
      avatarURL = actor?.avatarURL
      let habit = activity.habit.flatMap { state.habits[$0] }
      habitName = habit?.description.name
      habitKey = habit?.key
      let hive = activity.hive.flatMap { state.hives[$0] }
      hiveName = hive?.description.name
      hiveKey = hive?.key
    }

    /// The line as JSON.
    public var json: JSON {
      [
        "id": .string(activity.id), "position": .number(activity.position),
        "type": .string(activity.kind.rawValue), "at": .instant(activity.at),
        "day": .day(activity.day), "streak": activity.streak.map { .number($0) } ?? .null,
        "habit": .key(habitKey), "habit_name": .text(habitName), "hive": .key(hiveKey),
        "hive_name": .text(hiveName), "actor_name": .text(actorName),
        "actor_avatar_url": .text(avatarURL), "own": .bool(isOwn),
      ]
    }
  }
}
