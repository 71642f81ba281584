import Values
public import Calendar
public import Streaks
public import Avro

/// The content of a habit, as its owner writes it (HH-7).
public struct HabitContent: Columns, Hashable {
  /// The name and look.
  public var description: HabitDescription
  /// Whether it is checked or counted.
  public var type: HabitType = .checkbox
  /// The amount that makes a day done.
  public var target = Target(.one)
  /// When it is due.
  public var schedule = Schedule.daily
  /// When the owner is reminded.
  public var reminders: [LocalTime] = []

  /// The name.
  public var name: String {
    get { description.name }
    set { description.name = newValue }
  }

  /// A daily habit without a name, done once.
  public static var defaults: HabitContent {
    HabitContent(description: HabitDescription(name: "", color: HabitDescription.usualColor))
  }

  /// The columns of the description, the target, the schedule and the reminders.
  public mutating func visitColumns<V: ColumnVisitor>(_ visitor: inout V) throws(V.Failure) {
    try description.visitFields(&visitor)
    try visitor.column("type", &type)
    try visitor.column("target_per_day", &target.amount)
    try visitor.column("target_bound", &target.bound)
    try visitor.columns(ScheduleCodec(), &schedule)
    try visitor.column(
      "reminders", &reminders, [.bounds(["maxItems": .number(Limit.reminders.maximum)])])
  }

  /// The checked content.
  ///
  /// - Throws: the rejection when it is not valid.
  func checked() throws(Rejection) -> HabitContent {
    var checked = self
    checked.description = try description.checked()
    try Limit.reminders.check(reminders.count, "reminders")
    try target.check()
    try schedule.check()
    checked.reminders.sort()
    return checked
  }
}

extension HabitDescription {
  /// The colour of a habit or hive that is given without one.
  public static let usualColor = "#FF9F1C"
}

extension Habit {
  /// The current content of the habit.
  var content: HabitContent {
    HabitContent(
      description: description, type: type, target: version.target, schedule: version.schedule,
      reminders: reminders)
  }
}
