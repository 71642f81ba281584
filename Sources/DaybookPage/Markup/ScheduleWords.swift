import Avro

extension Visit {
  /// A habit's schedule in words: "every day", "Mon, Wed, Fri", "3 times in 7 days".
  ///
  /// - Parameter row: The habit's row.
  /// - Returns: The words.
  func said(scheduleOf row: JSON) -> String {
    if let quota = row["schedule_quota"], quota != .null {
      return say(
        "schedule.quota_said",
        [
          "times": quota["times"]?.integer.map(String.init) ?? "",
          "days": quota["days"]?.integer.map(String.init) ?? "",
        ])
    }
    guard let mask = row["schedule_weekmask"]?.integer, mask != 127 else {
      return say("schedule.daily")
    }
    switch mask {
    case 0b001_1111: return say("schedule.workdays")
    case 0b110_0000: return say("schedule.weekend")
    default:
      let days = language.weekdayNames.enumerated().filter { mask >> $0.offset & 1 == 1 }
      return days.map(\.element).joined(separator: ", ")
    }
  }
}
