@testable import DaybookAuth
import HTTPTypes
import Wire
import Avro
import Testing

/// Where browsers may be sent.
@Suite(.tags(.unit)) struct RedirectListTests {
  static let list = RedirectList(
    [
      "motiv://", "digit://reset", "com.rubentena.DailyManna://", "https://app.example.com/*",
      "https://exact.example.com/welcome", "https://deep.example.com/app/*",
      "http://localhost:3000/*", "nonsense", "*", "https://*", "",
    ], site: "https://site.example.com", fallback: "https://site.example.com")

  @Test(arguments: [
    "motiv://", "motiv://auth-callback", "MOTIV://auth-callback?x=1", "motiv://a/b/c",
    "digit://reset", "digit://reset?x=1", "com.rubentena.DailyManna://login",
    "com.rubentena.dailymanna://login", "https://app.example.com", "https://app.example.com/",
    "https://APP.example.com/x?y=https://evil.test", "https://exact.example.com/welcome",
    "https://deep.example.com/app", "https://deep.example.com/app/x",
    "http://localhost:3000/callback", "https://site.example.com/anything",
  ])
  func `a target on the list is allowed`(_ target: String) {
    #expect(Self.list.allows(target))
    #expect(Self.list.target(target) == target)
  }

  @Test(arguments: [
    "", "motiv", "motiv:auth", "motiv:/auth", "xmotiv://auth", "motiv2://auth", "digit://other",
    "digit://reset/more", "digit://reset.evil.test", "https://evil.test", "//evil.test",
    "/\\evil.test", "https:evil.test", "https:///evil.test", "http://app.example.com/",
    "https://app.example.com.evil.test/", "https://app.example.com@evil.test/",
    "https://evil.test/app.example.com", "https://evil.test#app.example.com/",
    "https://user@app.example.com/", "https://user:pass@app.example.com/",
    "https://app.example.com:8443/", "https://app.example.com\\@evil.test/",
    "https://app.example.com/\u{0}", "https://app.example.com/x y", "https://app.example.com/#x",
    "https://app.example.com//evil.test", "https://deep.example.com/app/../x",
    "https://deep.example.com/app/%2e%2e/x", "https://deep.example.com/app%2f..%2fx",
    "https://deep.example.com/application", "https://deep.example.com/",
    "https://exact.example.com/welcome/more", "https://exact.example.com/Welcome",
    "https://аpp.example.com/", "https://app.example.com%2eevil.test/", "javascript:alert(1)",
    "javascript://app.example.com/%0aalert(1)", "data:text/html,x", "http://localhost:3001/",
    "https://app.example.com/\r\nLocation: https://evil.test", "https://*", "motiv://\u{7f}",
    "motiv://user@host",
  ])
  func `a target that is not on the list leads to the site`(_ target: String) {
    #expect(!Self.list.allows(target))
    #expect(Self.list.target(target) == "https://site.example.com")
  }

  @Test func `a target of any length is checked`() {
    #expect(!Self.list.allows("motiv://" + String(repeating: "x", count: 100_000)))
    #expect(Self.list.target(nil) == "https://site.example.com")
  }

  @Test func `a valid redirect pattern names its scheme or host`() {
    for pattern in [
      "motiv://", "motiv://*", "motiv://**", "https://app.example.com/**",
      "https://app.example.com/app/*",
    ] {
      #expect(AuthSettings.isRedirect(pattern), "\(pattern)")
    }
    for text in [
      "", "nonsense", "*", "https://*.example.com/*", "https://a.test/*/b", "https://a.test/#",
    ] {
      #expect(!AuthSettings.isRedirect(text), "\(text)")
    }
    let list = RedirectList(
      ["https://app.example.com/app/**"], site: "https://a.test", fallback: "https://a.test")
    #expect(list.allows("https://app.example.com/app/x/y"))
    #expect(!list.allows("https://app.example.com/other"))
    #expect(
      AuthSettings.isAddress("https://a.test/x") && !AuthSettings.isAddress("https://a.test/*"))
  }
}
