import Avro
import Wire

extension PageForm {
  /// A habit's schedule in its column; `nil` when the form asks for none.
  ///
  /// A form without scripts sends the fields of every kind of schedule. `schedule` says which of them count.
  var schedule: JSON.Member? {
    func number(_ name: String) -> JSON {
      fields[name].flatMap { Int($0) }.map { .number($0) } ?? .null
    }
    switch fields["schedule"] {
    case "daily": return .init("schedule_daily", true)
    case "weekdays":
      let days = Set(fields.items.filter { $0.name == "weekday" }.compactMap { Int($0.value) })
      return .init(
        "schedule_weekmask",
        .number(days.filter { (0...6).contains($0) }.reduce(0) { $0 | 1 << $1 }))
    case "quota":
      return .init(
        "schedule_quota", ["times": number("quota_times"), "days": number("quota_days")])
    default: return nil
    }
  }
}
