extension Request {
  /// The commands about the person behind an account.
  static let personTypes: [String: any RequestBody.Type] = [
    "link_identity": LinkIdentity.self, "verify_identity": VerifyIdentity.self,
    "unlink_identity": UnlinkIdentity.self, "register_device": RegisterDevice.self,
    "unregister_device": UnregisterDevice.self, "upload_contacts": UploadContacts.self,
    "remove_contacts": RemoveContacts.self, "complete_onboarding": CompleteOnboarding.self,
  ]
}
