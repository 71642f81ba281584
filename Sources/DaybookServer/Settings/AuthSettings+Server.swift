import Configuration
import DaybookAuth

extension AuthSettings {
  /// How people sign in, by a server's settings.
  ///
  /// - Throws: ``SettingsError`` when a secret's file cannot be read.
  init(_ settings: ServerSettings) throws(SettingsError) {
    self.init(
      siteURL: settings.site, redirects: settings.redirects, isDevelopment: settings.isDevelopment)
    anonymousKey = settings.anonymousKey
    let reader = settings.reader.scoped(to: "auth")
    confirmsAddresses = reader.bool(forKey: "confirmAddresses", default: confirmsAddresses)
    tokenSeconds = max(300, reader.int(forKey: "tokenSeconds", default: tokenSeconds))
    appleClients = reader.stringArray(forKey: "appleClients", default: [])
    googleClients = reader.stringArray(forKey: "googleClients", default: [])
    googleSecret = try SecretSetting(reader, "googleSecret").text
    if settings.isDevelopment, redirects.isEmpty {
      redirects = ["motiv://", "digit://", "com.rubentena.DailyManna://"]
    }
  }
}
