package import Calendar
package import Avro

/// A schedule in one of its three columns; two that disagree are refused (HH-7).
package struct ScheduleCodec: ColumnCodec {
  /// Whether a quota is accepted as a schedule here.
  var takesQuota = true

  /// `schedule_daily`, `schedule_weekmask`, `schedule_quota`.
  package var columns: [Column] {
    var mask = Column("schedule_weekmask", Int?.self, "bit 0 = Monday … bit 6 = Sunday")
    mask.schema = ["type": ["integer", "null"], "minimum": 1, "maximum": 127]
    var quota = Column("schedule_quota", Int?.self, "`times` in every `days` days")
    let number: JSON = ["type": "integer", "minimum": 1, "maximum": 1000]
    quota.schema = [
      "type": ["object", "null"], "properties": ["times": number, "days": number],
      "required": ["times", "days"], "additionalProperties": false,
    ]
    return [Column("schedule_daily", Bool?.self, "every day"), mask] + (takesQuota ? [quota] : [])
  }
  /// Daily, and a weekday.
  package var examples: (Schedule, Schedule) {
    (.daily, .weekdays(WeekdayMask(unchecked: 1)))
  }

  /// Reads the schedule.
  ///
  /// - Throws: a rejection that names the column.
  package func read(_ reader: inout RequestReader) throws -> Schedule? {
    try reader.schedule()
  }

  /// The column that holds the schedule.
  package func members(of value: Schedule, in state: BookState) -> [JSON.Member] {
    switch value {
    case .weekdays(.everyDay): [.init("schedule_daily", true)]
    case .weekdays(let mask): [.init("schedule_weekmask", .number(mask.bits))]
    case .quota(let times, let days):
      [.init("schedule_quota", ["times": .number(times), "days": .number(days)])]
    }
  }
}

extension RequestReader {
  /// The schedule in one of its three fields; two that disagree are refused.
  mutating func schedule() throws(Rejection) -> Schedule? {
    let daily = try optional("schedule_daily", "true or false") { $0.boolean }
    let mask = try optional("schedule_weekmask", "a whole number from 1 to 127") {
      $0.integer.flatMap { WeekdayMask(bits: $0) }
    }
    let quota = try optional("schedule_quota", "{\"times\":n,\"days\":d} with 1 ≤ n ≤ d ≤ 1000") {
      json -> Schedule? in
      guard let times = json["times"]?.integer, let days = json["days"]?.integer,
        json.members?.count == 2
      else { return nil }
      return Schedule.quota(times, in: days)
    }
    var schedules: [Schedule] = []
    if daily == true { schedules.append(.daily) }
    if let mask { schedules.append(.weekdays(mask)) }
    if let quota { schedules.append(quota) }
    guard let first = schedules.first else {
      guard daily != false else {
        throw .invalidField(
          "schedule_daily", "false is not a schedule; give one of the other schedule fields")
      }
      return nil
    }
    guard schedules.allSatisfy({ $0 == first }) else {
      throw .invalidField("schedule_weekmask", "the schedule's fields disagree")
    }
    return first
  }
}
