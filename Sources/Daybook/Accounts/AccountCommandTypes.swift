extension Request {
  /// The commands about the person behind an account.
  static let personTypes: [any ColumnCommand.Type] = [
    LinkIdentity.self, VerifyIdentity.self,
    UnlinkIdentity.self, RegisterDevice.self,
    UnregisterDevice.self, UploadContacts.self,
    RemoveContacts.self, SaveContact.self,
    CompleteOnboarding.self, RequestUpgrade.self, NameRow.self,
  ]
}
