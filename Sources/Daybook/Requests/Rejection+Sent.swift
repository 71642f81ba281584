package import Avro

extension Rejection {
  /// The refusal, with its field called as the line called it.
  ///
  /// A rule has one name for what it refuses, and a command may have another: what is the `hive` to a rule is
  /// `p_hive_id` to those who ask. A field that the line does not have at all keeps its name: it is one that it could
  /// have, or needs.
  ///
  /// - Parameter line: What was sent.
  /// - Returns: The refusal to tell.
  package func asSent(in line: JSON) -> Rejection {
    guard let field, line[field] == nil,
      let sent = Self.otherNames[field]?.first(where: { (line[$0] ?? .null) != .null })
    else { return self }
    let prefix = "\(field): "
    let sentence =
      description.hasPrefix(prefix)
      ? "\(sent): \(description.dropFirst(prefix.count))" : description
    return Rejection(reason, field: sent, sentence)
  }

  /// What the fields of refusals are called by the commands that call them otherwise.
  package static let otherNames: [String: [String]] = [
    "code": ["p_code"],
    "color": ["color_hex"],
    "day": ["p_day", "p_at"],
    "habit": ["p_habit_id"],
    "hive": ["p_hive_id"],
    "key": ["id"],
    "label": ["id"],
    "member": ["assigned_to"],
    "name": ["display_name", "p_name"],
    "p_code": ["member", "p_hive_id"],
    "p_day": ["day", "p_at"],
    "phones": ["hashes"],
    "schedule_quota": ["schedule_weekmask", "schedule_daily", "p_habit_id", "habit"],
    "servings": ["base_servings"],
    "target_per_day": ["p_habit_id", "habit"],
    "task": ["id"],
    "timezone": ["time_zone"],
    "value": ["hash", "p_value"],
  ]
}
