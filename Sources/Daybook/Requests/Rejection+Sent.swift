package import Avro

extension Rejection {
  /// The refusal, with its field called as the line called it.
  ///
  /// A rule has one name for what it refuses, and a command may have another: what is the `hive` to a rule is
  /// `p_hive_id` to those who ask. A field that the line does not have at all keeps its name: it is one that it could
  /// have, or needs. So does one that the line has under a name which other commands give it, and this one does not.
  ///
  /// - Parameter line: What was sent.
  /// - Returns: The refusal to tell.
  package func asSent(in line: JSON) -> Rejection {
    guard let field, line[field] == nil, let names = Self.otherNames[field],
      let columns = line["do"]?.text.flatMap({ Request.types[$0] })?.columns,
      let sent = names.first(where: { name in
        (line[name] ?? .null) != .null && columns.contains { $0.name == name }
      })
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
