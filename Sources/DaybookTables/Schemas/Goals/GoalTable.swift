import Daybook

extension AppTable {
  /// Goals (MO-2, MO-9).
  static var goals: AppTable {
    let fields: [Field<NumberedEntity<Goal>>] = [
      Field("id", .freshKey) { $0.key }, .account("user_id", .caller) { $0.owner },
      Field("title") { $0.title }, Field("description") { $0.description },
      Field("created_at", .null, .once) { $0.created },
      Field("updated_at", .null, .server) { $0.updated },
    ]
    return .owned(
      "goals", fields, of: .goal, in: \.goals, numbers: { $0.allGoals(of: $1) },
      isShown: { !$0.isDeleted },
      foreignKeys: [ForeignKey("user_id", of: "goals", to: "profiles")],
      // Deleting a goal also deletes its habits and their logs.
      writer: EntityWriter(
        "goals", "goal", CreateGoal.self, UpdateGoal.self, DeleteGoal.self, in: \.goals,
        fields: { $0.columns.fields(["title", "description"]) }))
  }
}
