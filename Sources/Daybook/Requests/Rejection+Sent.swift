package import Avro

extension Rejection {
  /// The rejection, with its field named as the sent line names it.
  ///
  /// A rule may know a field by another name than the command does: a rule's `hive` is `p_hive_id` in a
  /// request. The field is renamed only if the line has it under such a name of its own command. It keeps the
  /// rule's name if the line has it under that name, lacks it, or has it under a name that only other
  /// commands use.
  ///
  /// - Parameter line: The line that was sent.
  /// - Returns: The rejection to show.
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

  /// The other names that commands use for the fields of rejections.
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
