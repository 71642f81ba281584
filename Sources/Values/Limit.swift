/// How much of something is taken from outside: the one place where the numbers stand.
///
/// A limit is checked where something is decided or read, never where it is applied: what a book holds already stays
/// readable. [Limits](../../../Docs/Limits.md) says why each is what it is.
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
  // A command as a line of JSON, and what it says of an activity, in bytes.
  case command
  case activityData = "data"
  // Members, and what an account has.
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
  // Recipes of pages.
  case pageBytes = "page"
  // What is asked at once.
  case spanDays = "span_days"
  case daysAhead = "days_ahead"
  case feedLines = "lines"
  case dueSteps = "due_steps"

  /// So many, or so much.
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

  /// How far ahead of the machine's clock a person may set the book's without being asked, in milliseconds: a day, for
  /// a clock that is told in another time zone.
  public static let maximumLeadMilliseconds: Int64 = 86_400_000

  /// How many bytes a server answers at once: what is longer is not made to its end.
  public static let maximumAnswerByteCount = 32 << 20
}

extension Limit {
  /// Whether a text is no longer. Characters are counted as Unicode scalars: what a screen shows as one may be made of
  /// a million.
  package func isKept(_ text: String) -> Bool {
    // A scalar has one to four bytes.
    if text.utf8.count <= maximum { return true }
    return text.utf8.count <= maximum * 4 && text.unicodeScalars.count <= maximum
  }

  /// As much of a text as is kept.
  package func cut(_ text: String) -> String {
    isKept(text) ? text : String(String.UnicodeScalarView(text.unicodeScalars.prefix(maximum)))
  }
}
