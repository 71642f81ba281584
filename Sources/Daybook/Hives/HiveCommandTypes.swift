extension Request {
  /// The commands about hives, by name. Commands named in the specification use its field names.
  static let hiveTypes: [any ColumnCommand.Type] = [
    CreateHive.self, CreateHiveFromHabit.self,
    UpdateHive.self, HandOverHive.self,
    DeleteHive.self, CreateHiveInvite.self,
    RevokeHiveInvite.self, JoinHive.self,
    AddHiveMember.self, LeaveHive.self,
    RemoveHiveMember.self,
    LinkHabit.self, LogHiveDay.self,
    ClearHiveLog.self, AdvanceHiveDay.self,
    Settle.self,
  ]
}
