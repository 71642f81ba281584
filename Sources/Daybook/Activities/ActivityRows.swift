package import Avro

/// An activity's row of `posted_activities`.
struct ActivityRow: RowForm {
  let activity: PostedActivity
  let hive: Key?
  let owner: Key?
  let habit: Key?

  static func visitColumns<V: RowVisitor>(_ visitor: inout V) where V.Row == ActivityRow {
    visitor.column("id", as: PostedActivity.ID.self) { $0.activity.key }
    visitor.column("hive_id", as: Hive.ID?.self) { $0.hive }
    visitor.column("user_id", as: Account.ID?.self) { $0.owner }
    visitor.column("habit_id", as: Habit.ID?.self) { $0.habit }
    visitor.column("type", as: Activity.Kind.self) { $0.activity.kind.rawValue }
    visitor.column("data", schema: [:], "the client's further data") { $0.activity.said }
    visitor.column("created_at") { $0.activity.created }
  }
}

extension BookState {
  /// The activity's row of `posted_activities`.
  package func activityRow(_ activity: PostedActivity) -> JSON { row(activity).json }

  private func row(_ activity: PostedActivity) -> ActivityRow {
    ActivityRow(
      activity: activity, hive: activity.hive.flatMap { hives[$0]?.key },
      owner: accounts[activity.owner]?.key, habit: activity.habit.flatMap { habits[$0]?.key })
  }

  var activityRows: [ActivityRow] {
    activities.elements.filter(isShown).sorted { $0.key < $1.key }.map { row($0) }
  }
}

extension PostedActivity {
  /// The client's data as JSON; null once it was blanked.
  package var said: JSON { (try? JSON(parsing: data)) ?? .null }
}

extension PostedActivity: RowEntity {
  package func row(in state: BookState) -> JSON { state.activityRow(self) }

  static func tables(of state: BookState) -> [RowTable] {
    [RowTable("posted_activities", ActivityRow.self, state.activityRows)]
  }
}
