public import Avro
import Daybook

extension Consequences: QuestionAnswer {
  /// Writes the consequences; pairs are `[as it is, as it would be]`.
  public func write(to json: inout JSONWriter) {
    json.object { row in
      row.member("as_of", asOf)
      row.member("entries", entryCount)
      row.member("habits", habits) { $0.value($1.json) }
      row.member("marks", marks) { json, change in
        json.object { json in
          json.member("habit", change.habit)
          json.member("day", change.day)
          json.member("mark", [change.before, change.after]) { json, mark in
            json.value(mark.map { .string($0.rawValue) } ?? .null)
          }
        }
      }
      row.member("hives", hives) { $0.value($1.json) }
      row.member("awards", awards) { json, change in
        json.value(change.json(of: account, in: state))
      }
      row.member("reminders_through", remindersThrough)
      row.member("reminders", reminders) { json, change in
        let members = change.notification.json(in: state).members ?? []
        json.value(.object([.init("comes", .bool(change.comes))] + members))
      }
    }
  }
}

extension Consequences.HabitChange {
  fileprivate var json: JSON {
    [
      "habit": .string(habit.key.description), "name": .string(habit.description.name),
      "current": pair { .number($0.current) }, "longest": pair { .number($0.longest) },
      "ends_on": pair { $0.endsOn.map { .string($0.description) } ?? .null },
    ]
  }

  private func pair(_ value: (Consequences.HabitStanding) -> JSON) -> JSON {
    [before.map(value) ?? .null, after.map(value) ?? .null]
  }
}

extension Consequences.HiveChange {
  fileprivate var json: JSON {
    [
      "hive": .string(hive.key.description), "name": .string(hive.description.name),
      "streak": [before.map { .number($0) } ?? .null, after.map { .number($0) } ?? .null],
      "days": .array(
        days.map { before, after in
          [
            "day": .string(after.day.description),
            "verdict": [.string(before.verdict.rawValue), .string(after.verdict.rawValue)],
            "complete_count": [.number(before.completeCount), .number(after.completeCount)],
            "required_count": [.number(before.requiredCount), .number(after.requiredCount)],
          ]
        }),
    ]
  }
}

extension Consequences.AwardChange {
  fileprivate func json(of account: Account.ID, in state: BookState) -> JSON {
    .object(
      [.init("change", .string(kind.rawValue))] + (award.json(of: account, in: state).members ?? [])
    )
  }
}
