package import Avro

extension BookState {
  /// The activity's row of `posted_activities`.
  package func activityRow(_ activity: PostedActivity) -> JSON {
    [
      "id": .key(activity.key), "hive_id": .key(activity.hive.flatMap { hives[$0]?.key }),
      "user_id": .key(accounts[activity.owner]?.key),
      "habit_id": .key(activity.habit.flatMap { habits[$0]?.key }),
      "type": .string(activity.kind.rawValue), "data": activity.said,
      "created_at": .instant(activity.created),
    ]
  }

  var activityRows: [JSON] {
    activities.elements.filter(isShown).sorted { $0.key < $1.key }.map { activityRow($0) }
  }
}

extension PostedActivity {
  /// What the client said, as JSON; null once that was blanked.
  package var said: JSON { (try? JSON(parsing: data)) ?? .null }
}

extension ColumnCommand where Answer == PostedActivity.ID {
  /// The activity's row, or that it is gone.
  package func row(of answer: PostedActivity.ID, in state: BookState) -> JSON {
    state.answer(answer) { state.activityRow($0) }
  }
}
