import Configuration
import DaybookAuth

extension AuthSettings {
  /// The settings of sign-in, from a server's settings.
  ///
  /// - Throws: ``SettingsError`` if a secret's file cannot be read.
  init(_ settings: ServerSettings) throws(SettingsError) {
    self.init(
      siteURL: settings.site, redirects: settings.redirects, isDevelopment: settings.isDevelopment)
    anonymousKey = settings.anonymousKey
    let reader = settings.reader
    confirmsAddresses = try reader.flag("auth.confirmAddresses", default: confirmsAddresses)
    tokenSeconds = try reader.number(
      "auth.tokenSeconds", in: 300...86_400, default: tokenSeconds)
    codeSeconds = try reader.number("auth.codeSeconds", in: 60...86_400, default: codeSeconds)
    if let pattern = redirects.first(where: { !Self.isRedirect($0) }) {
      throw SettingsError(
        "redirects: \(pattern) allows nothing; give an address, or one that ends in /* or ://.")
    }
    if let home = settings.home {
      guard Self.isAddress(home) else {
        throw SettingsError("home: \(home) is not an address that a browser can open.")
      }
      defaultRedirect = home
    }
    appleClients = try reader.texts("auth.appleClients")
    googleClients = try reader.texts("auth.googleClients")
    googleSecret = try SecretSetting(reader.scoped(to: "auth"), "googleSecret").text
    if settings.isDevelopment, redirects.isEmpty {
      redirects = ["motiv://", "digit://", "com.rubentena.DailyManna://"]
    }
  }
}
