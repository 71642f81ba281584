public import Avro

/// Rows as clients see them: snake_case JSON with keys instead of numbers.
///
/// They are the canonical picture of a state: two books that say the same have the same rows.
extension State {
  /// All tables, their rows sorted by key; what was deleted is left out, with what hangs on it.
  public var tables: [(name: String, rows: [JSON])] {
    [
      ("profiles", profileRows), ("habits", habitRows), ("habit_logs", logRows),
      ("goals", goalRows), ("pauses", pauseRows), ("focus", focusRows),
      ("hives", hiveRows), ("hive_members", hiveMemberRows),
      ("hive_member_days", hiveMemberDayRows),
      ("hive_days", hiveDayRows), ("hive_invites", hiveInviteRows),
      ("identities", identityRows), ("device_tokens", deviceRows),
      ("contact_hashes", contactRows),
      ("households", householdRows), ("household_members", householdMemberRows),
      ("household_tasks", choreRows), ("recipes", recipeRows), ("meal_plan", mealRows),
      ("tasks", taskRows), ("labels", labelRows), ("task_labels", taskLabelRows),
      ("task_completions", taskCompletionRows),
      ("grocery_lists", groceryListRows), ("grocery_items", groceryItemRows),
      ("pantry_staples", stapleRows),
      ("calendar_events", calendarEventRows),
    ]
  }

  /// All tables as one JSON object.
  public var dump: JSON { .object(tables.map { JSON.Member($0.name, .array($0.rows)) }) }
}

extension JSON {
  /// A number as short as it can be: whole when whole.
  static func number(_ amount: Amount) -> JSON { .number(amount.description) }
  /// RFC 3339, or null.
  static func instant(_ instant: Instant?) -> JSON {
    instant.map { .string($0.description) } ?? .null
  }
  /// ISO 8601, or null.
  static func day(_ day: Day?) -> JSON { day.map { .string($0.description) } ?? .null }
  /// A key, or null.
  static func key(_ key: Daybook.Key?) -> JSON { key.map { .string($0.description) } ?? .null }
  /// A text, or null.
  static func text(_ text: String?) -> JSON { text.map { .string($0) } ?? .null }
}
