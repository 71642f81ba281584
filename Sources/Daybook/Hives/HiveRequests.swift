public import Avro

extension Request {
  /// The commands about hives, by name. Those that the specification names keep its names of fields.
  static let hiveTypes: [String: any RequestBody.Type] = [
    "create_hive": CreateHive.self, "create_hive_from_habit": CreateHiveFromHabit.self,
    "update_hive": UpdateHive.self, "hand_over_hive": HandOverHive.self,
    "delete_hive": DeleteHive.self, "create_hive_invite": CreateHiveInvite.self,
    "revoke_hive_invite": RevokeHiveInvite.self, "join_hive_with_code": JoinHive.self,
    "add_hive_member": AddHiveMember.self, "leave_hive": LeaveHive.self,
    "remove_hive_member": RemoveHiveMember.self,
    "link_habit": LinkHabit.self, "log_hive_today": LogHiveDay.self,
    "clear_hive_log": ClearHiveLog.self, "advance_hive_day": AdvanceHiveDay.self,
    "settle": Settle.self,
  ]
}

extension CreateHive: RequestBody {
  /// `key`, `name`, `emoji`, `color_hex`, `type`, `target_per_day`, `schedule_daily` or `schedule_weekmask`,
  /// `rule`, `threshold`.
  public init(_ reader: inout RequestReader) throws {
    self.init(
      key: try reader.optionalKey("key"), name: try reader.text("name"),
      emoji: try reader.optionalText("emoji") ?? "",
      color: try reader.optionalText("color_hex") ?? "#FF9F1C")
    type = try reader.type().applied(to: .checkbox)
    target = try reader.amountEdit("target_per_day").applied(to: .one)
    guard case .weekdays(let weekdays) = try reader.schedule().applied(to: .daily) else {
      throw Rejection.cannotShareQuota
    }
    schedule = weekdays
    threshold = try reader.threshold()
  }

  /// The hive's row.
  public func row(of answer: Hive.ID, in state: State) -> JSON { state.hiveRow(answer) }
}

extension CreateHiveFromHabit: RequestBody {
  /// `key`, `p_habit_id`, `p_name`, `p_backfill_days` (30), `rule`, `threshold`.
  public init(_ reader: inout RequestReader) throws {
    self.init(
      try reader.habit("p_habit_id"), key: try reader.optionalKey("key"),
      name: try reader.optionalText("p_name"),
      backfillDays: try reader.optional("p_backfill_days", "a whole number") { $0.integer } ?? 30,
      threshold: try reader.threshold())
  }

  /// The hive's row.
  public func row(of answer: Hive.ID, in state: State) -> JSON { state.hiveRow(answer) }
}

extension UpdateHive: RequestBody {
  /// `p_hive_id`, and of `name`, `emoji`, `color_hex` those that change.
  public init(_ reader: inout RequestReader) throws {
    self.init(try reader.hive())
    name = try reader.textEdit("name")
    emoji = try reader.textEdit("emoji")
    color = try reader.textEdit("color_hex")
  }

  /// The hive's row.
  public func row(of answer: Hive.ID, in state: State) -> JSON { state.hiveRow(answer) }
}

extension HandOverHive: RequestBody {
  /// `p_hive_id`, `member`: an account.
  public init(_ reader: inout RequestReader) throws {
    let hive = try reader.hive()
    self.init(hive, to: try reader.member())
  }

  /// The hive's row.
  public func row(of answer: Hive.ID, in state: State) -> JSON { state.hiveRow(answer) }
}

extension DeleteHive: RequestBody {
  /// `p_hive_id`.
  public init(_ reader: inout RequestReader) throws { self.init(try reader.hive()) }

  /// The key of what is gone.
  public func row(of answer: Hive.ID, in state: State) -> JSON {
    ["id": .key(state.hives[answer]?.key), "deleted": true]
  }
}

extension CreateHiveInvite: RequestBody {
  /// `p_hive_id`, `p_ttl_minutes` (10080), `p_max_uses` (20), `code` for a test.
  public init(_ reader: inout RequestReader) throws {
    self.init(
      try reader.hive(),
      minutes: try reader.optional("p_ttl_minutes", "a whole number") { $0.integer } ?? 10_080,
      mostUses: try reader.optional("p_max_uses", "a whole number") { $0.integer } ?? 20,
      code: try reader.optionalText("code"))
  }

  /// The invite's row.
  public func row(of answer: HiveInvite.ID, in state: State) -> JSON { state.inviteRow(answer) }
}

extension RevokeHiveInvite: RequestBody {
  /// `p_code`.
  public init(_ reader: inout RequestReader) throws { self.init(try reader.text("p_code")) }

  /// The invite's row.
  public func row(of answer: HiveInvite.ID, in state: State) -> JSON { state.inviteRow(answer) }
}

extension JoinHive: RequestBody {
  /// `p_code`.
  public init(_ reader: inout RequestReader) throws { self.init(try reader.text("p_code")) }

  /// The hive's row.
  public func row(of answer: Hive.ID, in state: State) -> JSON { state.hiveRow(answer) }
}

extension LeaveHive: RequestBody {
  /// `p_hive_id`.
  public init(_ reader: inout RequestReader) throws { self.init(try reader.hive()) }

  /// The key of the hive that is left; nothing more of it is shown.
  public func row(of answer: Hive.ID, in state: State) -> JSON {
    ["id": .key(state.hives[answer]?.key), "left": true]
  }
}

extension AddHiveMember: RequestBody {
  /// `p_hive_id`, `member`: an account.
  public init(_ reader: inout RequestReader) throws {
    let hive = try reader.hive()
    guard let key = try reader.optionalKey("member") else { throw Rejection.missingField("member") }
    guard let number = reader.state.accounts.number(of: key) else { throw Rejection.noContact }
    self.init(number, to: hive)
  }

  /// The hive's row.
  public func row(of answer: Hive.ID, in state: State) -> JSON { state.hiveRow(answer) }
}

extension RemoveHiveMember: RequestBody {
  /// `p_hive_id`, `member`: an account.
  public init(_ reader: inout RequestReader) throws {
    let hive = try reader.hive()
    self.init(try reader.member(), from: hive)
  }

  /// The hive's row.
  public func row(of answer: Hive.ID, in state: State) -> JSON { state.hiveRow(answer) }
}

extension LinkHabit: RequestBody {
  /// `p_hive_id`, `habit`: null takes the link away.
  public init(_ reader: inout RequestReader) throws {
    let hive = try reader.hive()
    guard let json = reader.value("habit") else { throw Rejection.missingField("habit") }
    if case .null = json {
      self.init(nil, to: hive)
    } else {
      self.init(try reader.habit(), to: hive)
    }
  }

  /// What is linked now.
  public func row(of answer: Hive.ID, in state: State) -> JSON {
    [
      "hive_id": .key(state.hives[answer]?.key),
      "habit_id": .key(habit.flatMap { state.habits[$0]?.key }),
    ]
  }
}

extension LogHiveDay: RequestBody {
  /// `p_hive_id`, `p_value` (1), `day` or `p_at`, `source` (manual).
  public init(_ reader: inout RequestReader) throws {
    let hive = try reader.hive()
    let value = try reader.optional("p_value", Amount.words) { json in
      // Below the range is clamped into it, as zero is (R2).
      if case .number(let text) = json, text.hasPrefix("-") {
        return Amount(text.dropFirst()).map { _ in Amount.zero }
      }
      return json.amount
    }
    self.init(
      hive, value: value ?? .one, day: try reader.dayChoice(), source: try reader.source())
  }

  /// The member's day.
  public func row(of answer: HiveMemberDay, in state: State) -> JSON { state.memberDayRow(answer) }
}

extension ClearHiveLog: RequestBody {
  /// `p_hive_id`, `day` or `p_at`, `source` (manual).
  public init(_ reader: inout RequestReader) throws {
    let hive = try reader.hive()
    self.init(hive, day: try reader.dayChoice(), source: try reader.source())
  }

  /// The member's day.
  public func row(of answer: HiveMemberDay, in state: State) -> JSON { state.memberDayRow(answer) }
}

extension AdvanceHiveDay: RequestBody {
  /// `p_hive_id`, `p_day`.
  public init(_ reader: inout RequestReader) throws {
    let hive = try reader.hive()
    guard let day = try reader.optionalDay("p_day") else { throw Rejection.missingField("p_day") }
    self.init(hive, day: day)
  }

  /// Whether the day advanced, and how many were done of how many required.
  public func row(of answer: HiveDay, in state: State) -> JSON {
    [
      "advanced": .bool(answer.hasAdvanced), "complete_count": .number(answer.completeCount),
      "required_count": .number(answer.requiredCount),
    ]
  }

  /// The hive.
  public func aggregate(of answer: HiveDay) -> Aggregate? { .hive(hive) }
}

extension Settle: RequestBody {
  /// No fields, and nobody acts.
  public init(_ reader: inout RequestReader) throws { self.init() }

  /// How many breaks were recorded.
  public func row(of answer: Int, in state: State) -> JSON { ["hive_broken": .number(answer)] }

  /// Nothing: it is a number.
  public func aggregate(of answer: Int) -> Aggregate? { nil }
}

extension RequestReader {
  /// The hive that `p_hive_id` names by key.
  fileprivate mutating func hive() throws -> Hive.ID { try hive("p_hive_id") }

  /// The account that `member` names by key. Whether it is there is told to nobody but its fellow members.
  fileprivate mutating func member() throws -> Account.ID {
    guard let key = try optionalKey("member") else { throw Rejection.missingField("member") }
    guard let number = state.accounts.number(of: key) else { throw Rejection.hiveMemberNotFound }
    return number
  }

  /// `rule` and `threshold`, which must agree.
  fileprivate mutating func threshold() throws(Rejection) -> Int? {
    let rule = try optional("rule", "one of all_must_complete, threshold") {
      $0.text.flatMap { HiveRule(rawValue: $0) }
    }
    let threshold = try optional("threshold", "a whole number") { $0.integer }
    switch rule ?? (threshold == nil ? .allMustComplete : .threshold) {
    case .threshold:
      guard let threshold else { throw .missingField("threshold") }
      return threshold
    case .allMustComplete:
      guard threshold == nil else {
        throw .invalidField("threshold", "the rule all_must_complete has none")
      }
      return nil
    }
  }
}
