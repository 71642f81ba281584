package import Avro

extension Rejection {
  /// The refusal, with its field called as the line called it.
  ///
  /// A rule has one name for the field that it refuses, and a command may have another: the rule's `hive` is a client's
  /// `p_hive_id`. A field that the line lacks keeps the rule's name, since the line could have it or needs it. A field
  /// also keeps that name when the line has it under a name that only other commands use.
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
