import Avro
import Calendar
import Foundation
import HTTPTypes
import Synchronization
import Wire

/// A language in which the page speaks: its words, and how it writes dates and numbers.
struct Language: Sendable {
  /// `en` or `de`.
  let code: String
  let words: Words
  private let formatters: Formatters
  /// `ltr` or `rtl`: in which direction it is written.
  let direction: String

  /// The languages there are, the first for whoever asks for none of them.
  static let all = [
    Language("en", PackageResources.words_en_json), Language("de", PackageResources.words_de_json),
  ]

  /// Reads the words; how it writes dates and in which direction follows from its code.
  init(_ code: String, _ bytes: [UInt8]) {
    self.code = code
    words = Words(bytes)
    direction = Locale.Language(identifier: code).characterDirection == .rightToLeft ? "rtl" : "ltr"
    formatters = Formatters(Locale(identifier: code))
  }

  /// The language that a request's browser asks for (RFC 9110, section 12.5.4).
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - languages: The languages there are.
  init(of request: WireRequest, among languages: [Language] = all) {
    let wanted = Self.preferences(request.headers[.acceptLanguage] ?? "")
    self =
      wanted.lazy.compactMap { code in languages.first { code.hasPrefix($0.code) } }.first
      ?? Self.all[0]
  }

  /// The languages of a header, the most wanted first.
  private static func preferences(_ header: String) -> [String] {
    let pieces = header.split(separator: ",").prefix(20).map { piece in
      let parts = piece.split(separator: ";")
      let weight = parts.dropFirst().first { $0.trimmed.hasPrefix("q=") }
        .flatMap { Double($0.trimmed.dropFirst(2)) }
      return (code: (parts.first ?? "").trimmed.lowercased(), weight: weight ?? 1)
    }
    return pieces.enumerated().filter { $0.element.weight > 0 }
      .sorted { ($1.element.weight, $0.offset) < ($0.element.weight, $1.offset) }
      .map(\.element.code)
  }

  // MARK: Dates and numbers

  /// A day with its weekday: "Sun, 29 Nov 2026".
  func shown(_ day: Day) -> String { text(of: day, "EEE d MMM y") }

  /// A day of about now, without its year: "Sun, 29 Nov".
  func shortDay(_ day: Day) -> String { text(of: day, "EEE d MMM") }

  /// A day of a month: "29 Nov".
  func date(_ day: Day) -> String { text(of: day, "d MMM") }

  /// A weekday: "Sunday".
  func weekday(_ day: Day) -> String { text(of: day, "EEEE") }

  /// A month's short name: "Nov".
  func monthName(_ day: Day) -> String { text(of: day, "LLL") }

  /// A month: "November 2026".
  func month(_ day: Day) -> String { text(of: day, "MMMM y") }

  /// The weekdays from Monday on, as one or two letters.
  var weekdays: [String] {
    (0..<7).map { text(of: Day(clampingNumber: 4 + $0), "EEEEEE") }
  }

  /// The weekdays from Monday on, as three letters or so.
  var weekdayNames: [String] {
    (0..<7).map { text(of: Day(clampingNumber: 4 + $0), "EEE") }
  }

  private func text(of day: Day, _ template: String) -> String {
    formatters.text(
      Date(timeIntervalSince1970: Double(day.number) * 86_400 + 43_200), template, "UTC")
  }

  /// An instant in a time zone: "29 Nov 2026, 21:07".
  func shown(_ instant: Instant, in zone: String) -> String {
    formatters.text(
      Date(timeIntervalSince1970: Double(instant.milliseconds) / 1000), "d MMM y HH:mm", zone)
  }

  /// The time of day of an instant in a time zone: "21:07".
  func clock(_ instant: Instant, in zone: String) -> String {
    formatters.text(
      Date(timeIntervalSince1970: Double(instant.milliseconds) / 1000), "HHmm", zone)
  }

  /// A number of the book as the language writes it: its decimal sign, and no rounding.
  func number(_ text: String) -> String {
    code == "de" ? text.replacing(".", with: ",") : text
  }

  /// A share from 0 to 1 in percent.
  func percent(_ share: Double) -> String {
    "\(Int((share * 100).rounded()))" + (code == "de" ? " %" : "%")
  }
}

/// The formatters of a language's dates, which are costly to make.
private final class Formatters: Sendable {
  private struct Form: Hashable {
    let template: String
    let zone: String
  }

  private let locale: Locale
  /// `DateFormatter` is no value: whoever has the lock uses one.
  private let made = Mutex<[Form: DateFormatter]>([:])
  /// Zones are named by accounts: more than this many formatters are not kept.
  private static let mostCount = 1000

  init(_ locale: Locale) { self.locale = locale }

  func text(_ date: Date, _ template: String, _ zone: String) -> String {
    let form = Form(template: template, zone: zone)
    return made.withLock { made in
      if let formatter = made[form] { return formatter.string(from: date) }
      if made.count >= Self.mostCount { made.removeAll() }
      let formatter = DateFormatter()
      formatter.locale = locale
      formatter.timeZone = TimeZone(identifier: zone) ?? .gmt
      formatter.setLocalizedDateFormatFromTemplate(template)
      made[form] = formatter
      return formatter.string(from: date)
    }
  }
}

/// The words of a language, by their keys. A key that a language lacks is said in its own name, which a test finds.
struct Words: Sendable {
  private let texts: [String: String]
  /// The words for templates: `{{t.key}}`, where a dot in a key is `_`.
  let fields: [String: String]

  init(_ bytes: [UInt8]) {
    let members = (try? JSON(parsing: bytes))?.members ?? []
    texts = Dictionary(
      members.compactMap { member in member.value.text.map { (member.name, $0) } }
    ) { first, _ in first }
    fields = Dictionary(texts.map { ($0.replacing(".", with: "_"), $1) }) { first, _ in first }
  }

  var keys: Set<String> { Set(texts.keys) }

  /// Whether the language has words for a key.
  func has(_ key: String) -> Bool { texts[key] != nil }

  /// A sentence, in which `{name}` stands for a value.
  func say(_ key: String, _ values: [String: String] = [:]) -> String {
    guard let text = texts[key] else { return key }
    guard !values.isEmpty else { return text }
    // Once from the left, so a value that looks like a name stays what it is.
    return text.replacing(#/\{([a-z]+)\}/#) { match in
      values[String(match.output.1)] ?? String(match.output.0)
    }
  }

  /// A sentence with a count, which has a form for one and a form for others: `key.one`, `key.other`.
  func count(_ key: String, _ count: Int) -> String {
    say(count == 1 ? "\(key).one" : "\(key).other", ["count": String(count)])
  }
}
