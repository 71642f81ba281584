/// The limits on input from outside; this is the only place that defines the numbers.
///
/// A limit is checked when something is decided or read, never when it is applied, so whatever a book
/// already holds stays readable. [Limits](../../../Docs/Limits.md) gives the reason for each.
public enum Limit: String, CaseIterable, Hashable, Sendable {
  // Texts, in characters (Unicode scalars).
  case name
  case title
  case text
  case line
  case address
  // Lists.
  case ingredients
  case steps
  case tags
  case reminders
  case labels
  // A command as a line of JSON, and its description of an activity, in bytes.
  case command
  case activityData = "data"
  // Members, and what belongs to an account.
  case hiveMembers = "hive_members"
  case householdMembers = "household_members"
  case identities
  case devices
  case contacts
  case notificationTimes = "notification_times"
  case starterHabits = "habits"
  // Numbers as text, in digits on either side of the point.
  case digits
  // iCalendar.
  case calendarBytes = "ics"
  case componentDepth = "component_depth"
  case uid
  case calendarRules = "calendar_rules"
  case calendarDates = "calendar_dates"
  case singleTimes = "single_times"
  case zoneName = "zone_name"
  case describedZones = "described_zones"
  case observances
  case zoneChanges = "zone_changes"
  case zoneParts = "zone_parts"
  case calendarProblems = "calendar_problems"
  case seriesSteps = "series_steps"
  case calendarSteps = "calendar_steps"
  // Recipes from web pages.
  case pageBytes = "page"
  // The size of one query.
  case spanDays = "span_days"
  case daysAhead = "days_ahead"
  case feedLines = "lines"
  case dueSteps = "due_steps"

  /// The largest allowed number or size.
  public var maximum: Int {
    switch self {
    case .name: 200
    case .title: 500
    case .text: 10_000
    case .line: 1000
    case .address: 2000
    case .ingredients: 500
    case .steps: 500
    case .tags: 100
    case .reminders: 24
    case .labels: 100
    case .command: 67_108_864
    case .activityData: 4096
    case .hiveMembers: 10
    case .householdMembers: 100
    case .identities: 20
    case .devices: 50
    case .contacts: 10_000
    case .notificationTimes: 24
    case .starterHabits: 2
    case .digits: 40
    case .calendarBytes: 10_000_000
    case .componentDepth: 16
    case .uid: 1000
    case .calendarRules: 20
    case .calendarDates: 5000
    case .singleTimes: 5000
    case .zoneName: 255
    case .describedZones: 200
    case .observances: 100
    case .zoneChanges: 2000
    case .zoneParts: 200_000
    case .calendarProblems: 1000
    case .seriesSteps: 20_000
    case .calendarSteps: 200_000
    case .pageBytes: 10_000_000
    case .spanDays: 3700
    case .daysAhead: 366
    case .feedLines: 1000
    case .dueSteps: 2_000_000
    }
  }

  /// How far ahead of the machine's clock a person may set the book's clock without confirmation, in
  /// milliseconds: one day, in case the machine's clock is in another time zone.
  public static let maximumLeadMilliseconds: Int64 = 86_400_000

  /// The largest answer of a server, in bytes; building a longer one is aborted.
  public static let maximumAnswerByteCount = 32 << 20
}

extension Limit {
  /// Whether a text is within the limit. Characters are counted as Unicode scalars, because a single
  /// character on screen may consist of a million of them.
  package func isKept(_ text: String) -> Bool {
    // A scalar has one to four bytes, so this shortcut suffices.
    if text.utf8.count <= maximum { return true }
    return text.utf8.count <= maximum * 4 && text.unicodeScalars.count <= maximum
  }

  /// The text, cut off at the limit.
  package func cut(_ text: String) -> String {
    isKept(text) ? text : String(String.UnicodeScalarView(text.unicodeScalars.prefix(maximum)))
  }
}
