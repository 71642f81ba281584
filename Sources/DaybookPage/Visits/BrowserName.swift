/// A browser and its system in two words, so that a person tells their devices apart. The words are the page's own: nothing
/// that a browser sent is kept.
struct BrowserName {
  /// `Firefox, Linux`; `nil` for what is no browser that is known.
  let text: String?

  /// Each mark after those that contain it: Edge calls itself Chrome, and Chrome calls itself Safari.
  private static let browsers = [
    ("Edg", "Edge"), ("OPR/", "Opera"), ("SamsungBrowser/", "Samsung Internet"),
    ("Firefox/", "Firefox"), ("FxiOS/", "Firefox"), ("Chrome/", "Chrome"), ("CriOS/", "Chrome"),
    ("Safari/", "Safari"),
  ]
  private static let systems = [
    ("Android", "Android"), ("iPhone", "iPhone"), ("iPad", "iPad"), ("CrOS", "ChromeOS"),
    ("Windows", "Windows"), ("Mac OS X", "macOS"), ("Linux", "Linux"),
  ]

  /// Reads the header `User-Agent`.
  init(_ header: String) {
    let header = header.prefix(512)
    func word(_ marks: [(mark: String, word: String)]) -> String? {
      marks.first { header.contains($0.mark) }?.word
    }
    text = word(Self.browsers).map { browser in
      word(Self.systems).map { "\(browser), \($0)" } ?? browser
    }
  }
}
