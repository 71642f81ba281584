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
