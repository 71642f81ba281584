import Calendar
import Streaks
public import Avro

extension ThenAndNow {
  /// The comparison as JSON, in the form of `daybook audit --then-and-now --json`.
  ///
  /// - Parameters:
  ///   - state: The state in which actors are looked up.
  ///   - lateOnly: Whether to include only days with late entries.
  /// - Returns: The object.
  public func json(in state: BookState, lateOnly: Bool = false) -> JSON {
    let shown = days.filter { !lateOnly || $0.isLate }
    return [
      "habit": .key(view.habit.key), "name": .string(view.habit.description.name),
      "rule": ["id": .string(view.rule.id), "version": .number(view.rule.version)],
      "current": .number(view.judgement.current?.length ?? 0),
      "leaned_on": .number(leanedOnCount), "changed": .number(days.count(where: \.isChanged)),
      "late": .number(days.count(where: \.isLate)),
      "days": .array(shown.map { $0.json(in: state) }),
    ]
  }
}

extension ThenAndNow.ClosedDay {
  fileprivate func json(in state: BookState) -> JSON {
    [
      "day": .day(day), "closed_at": .instant(closed), "then": Self.json(then),
      "now": Self.json(now), "changed": .bool(isChanged), "streak_changed": .bool(isStreakChanged),
      "logs": .array(logs.map { $0.json(in: state) }),
      "changed_by": .array(changes.map { .number($0.item.position) }),
      "other_changes": .array(otherChanges.map { $0.json(in: state) }),
    ]
  }

  private static func json(_ judged: JudgedDay?) -> JSON {
    guard let judged else { return .null }
    return [
      "mark": .string(judged.mark.rawValue), "value": judged.value.map { .number($0) } ?? .null,
      "streak": .number(judged.streak),
    ]
  }
}

extension DatedEntry {
  /// The entry as evidence, with the recorded value and the lateness.
  func json(in state: BookState) -> JSON {
    let late = JSON.Member("late_seconds", .number(Int(lateSeconds)))
    return .object((item.historyJSON(in: state).members ?? []) + [late])
  }
}

extension HiveThenAndNow {
  /// The comparison as JSON, in the form of `daybook audit HIVE --then-and-now --json`: members appear by name only.
  ///
  /// - Parameters:
  ///   - state: The state in which members' names are looked up.
  ///   - lateOnly: Whether to include only days with late entries.
  /// - Returns: The object.
  public func json(in state: BookState, lateOnly: Bool = false) -> JSON {
    let shown = days.filter { !lateOnly || $0.isLate }
    return [
      "hive": .key(audit.hive.key), "name": .string(audit.hive.description.name),
      "current": .number(audit.current), "changed": .number(days.count(where: \.isChanged)),
      "late": .number(days.count(where: \.isLate)),
      "days": .array(shown.map { $0.json(in: state) }),
    ]
  }
}

extension HiveThenAndNow.ClosedDay {
  fileprivate func json(in state: BookState) -> JSON {
    [
      "day": .day(day), "closed_at": .instant(closed), "then": Self.json(then, streakThen),
      "now": Self.json(now, streakNow), "changed": .bool(isChanged),
      "logs": .array(
        logs.map { log in
          let entry = log.entry
          return [
            "name": .text(state.accounts[log.member]?.displayName),
            "position": .number(entry.item.position), "at": .instant(entry.item.at),
            "event": .string(entry.item.event.name),
            "source": .text(entry.item.event.source?.rawValue),
            "value": entry.item.event.value.map { .number($0) } ?? .null,
            "late_seconds": .number(Int(entry.lateSeconds)),
          ]
        }),
    ]
  }

  private static func json(_ day: HiveDay, _ streak: Int) -> JSON {
    [
      "verdict": .string(day.verdict.rawValue), "complete_count": .number(day.completeCount),
      "required_count": .number(day.requiredCount), "streak": .number(streak),
    ]
  }
}
