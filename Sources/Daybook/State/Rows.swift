import Values
import Calendar
package import Avro

/// Rows as clients see them: snake_case JSON with keys instead of numbers.
///
/// They are the canonical picture of a state: two books that say the same have the same rows.
extension BookState {
  /// All tables, their rows sorted by key; what was deleted is left out, with what hangs on it.
  package var tables: [RowTable] {
    [
      RowTable("profiles") { RowList(all: profileRows) },
      RowTable("habits") { HabitList(byKeyIn: self) }, RowTable("habit_logs") { LogList(self) },
      RowTable("goals") { RowList(all: goalRows) }, RowTable("pauses") { RowList(all: pauseRows) },
      RowTable("focus") { RowList(all: focusRows) }, RowTable("hives") { RowList(all: hiveRows) },
      RowTable("hive_members") { RowList(all: hiveMemberRows) },
      RowTable("hive_member_days") { HiveMemberDayList(self) },
      RowTable("hive_days") { HiveDayList(self) },
      RowTable("hive_invites") { RowList(all: hiveInviteRows) },
      RowTable("identities") { RowList(all: identityRows) },
      RowTable("device_tokens") { RowList(all: deviceRows) },
      RowTable("contact_hashes") { RowList(all: contactRows) },
      RowTable("households") { RowList(all: householdRows) },
      RowTable("household_members") { RowList(all: householdMemberRows) },
      RowTable("household_tasks") { RowList(all: householdTaskRows) },
      RowTable("recipes") { RowList(all: recipeRows) },
      RowTable("meal_plan") { RowList(all: mealRows) },
      RowTable("tasks") { RowList(all: taskRows) }, RowTable("labels") { RowList(all: labelRows) },
      RowTable("task_labels") { RowList(all: taskLabelRows) },
      RowTable("task_completions") { RowList(all: taskCompletionRows) },
      RowTable("grocery_lists") { RowList(all: groceryListRows) },
      RowTable("grocery_items") { RowList(all: groceryItemRows) },
      RowTable("pantry_staples") { RowList(all: pantryStapleRows) },
      RowTable("calendar_events") { RowList(all: calendarEventRows) },
      RowTable("posted_activities") { RowList(all: activityRows) },
    ]
  }

  /// The tables as they are shown: with what also follows from the time zones, which no digest may depend on.
  ///
  /// The hives have `streak`, the days that they keep together, and `last_advanced_on`.
  ///
  /// - Parameters:
  ///   - instant: When they are seen: days that are over by then are closed, whether that was recorded or not.
  ///   - zones: Tell when a member's day is over.
  /// - Returns: The tables.
  package func tables(seenAt instant: Instant, in zones: any TimeZones) -> [RowTable] {
    tables.map { table in
      guard table.name == "hives" else { return table }
      return RowTable(table.name) { RowList(all: hiveRows(seenAt: instant, in: zones)) }
    }
  }

  /// All tables as one JSON object.
  package var dump: JSON { .object(tables.map { JSON.Member($0.name, .array($0.rows)) }) }
}

/// A table of rows, which are made when they are wanted.
package struct RowTable: Sendable {
  /// What it is called.
  package let name: String
  private let list: @Sendable () -> any Listing

  init(_ name: String, _ list: @escaping @Sendable () -> any Listing) {
    self.name = name
    self.list = list
  }

  /// The rows, to be written a page at a time.
  package var listing: any Listing { list() }

  /// All rows at once.
  package var rows: [JSON] { listing.rows }
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
  static func key(_ key: Values.Key?) -> JSON { key.map { .string($0.description) } ?? .null }
  /// A text, or null.
  static func text(_ text: String?) -> JSON { text.map { .string($0) } ?? .null }
}
