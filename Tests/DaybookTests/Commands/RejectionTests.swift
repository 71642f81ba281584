import Avro
import Daybook
import Foundation
import Testing

/// The table of all codes, compared with the refusals in the sources.
@Suite(.tags(.unit)) struct RejectionTests {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// The sources of the package, concatenated.
  private static let sources = Result {
    let folder = root.appending(path: "Sources")
    let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
    var text = ""
    while let file = files?.nextObject() as? URL {
      guard file.pathExtension == "swift" else { continue }
      text += try String(contentsOf: file, encoding: .utf8)
    }
    return text
  }

  /// The codes of `Rejection(.code, …)`, and those whose names are composed.
  private static func refused() throws -> Set<RejectionCode> {
    let named = Dictionary(uniqueKeysWithValues: RejectionCode.allCases.map { ("\($0)", $0) })
    let text = try sources.get()
    var codes = Set(Limit.allCases.compactMap(\.code))
    for rest in text.after(word: "Rejection(") {
      guard let match = rest.prefixMatch(of: /\s*\.(\w+),/) else { continue }
      if let code = named[String(match.1)] { codes.insert(code) }
    }
    for field in try fields.get() {
      for rejection in [Rejection.emptyText(field: field), .invalidText(field: field)]
      where rejection.reason != .invalidField {
        codes.insert(rejection.reason)
      }
    }
    for field in ["prep_time", "cook_time"] {
      codes.insert(Rejection.invalidMinutes(field: field).reason)
    }
    return codes
  }

  /// The fields whose texts are checked by name.
  private static let fields = Result {
    let text = try sources.get()
    return Set(
      text.after("checkedLine(").compactMap {
        $0.prefixMatch(of: /[^"\n]+(?:""[^"\n]*)?"(\w+)"\)/).map { String($0.1) }
      }
        + (text.after(".emptyText(field: \"") + text.after(".invalidText(field: \"")).compactMap {
          $0.prefixMatch(of: /(\w+)"\)/).map { String($0.1) }
        })
  }

  @Test func `every code of the table is refused somewhere`() throws {
    for code in Set(RejectionCode.allCases).subtracting(try Self.refused()) {
      Issue.record("nothing is refused with \(code.rawValue); take it out of RejectionCode")
    }
  }

  @Test func `an invalid text has a code for its field`() throws {
    let fields = try Self.fields.get()
    #expect(fields.isSuperset(of: ["name", "title", "unit", "meal_type", "ingredients", "tags"]))
    for field in fields {
      let rejection = Rejection.invalidText(field: field)
      #expect(rejection.code == "invalid_\(field)", "give RejectionCode invalid_\(field)")
      #expect(rejection.field == field)
    }
    // An empty unit or kind of meal means none, and an empty tag is dropped.
    for field in fields.subtracting(["unit", "meal_type", "tags"]) {
      let rejection = Rejection.emptyText(field: field)
      #expect(rejection.code == "empty_\(field)", "give RejectionCode empty_\(field)")
    }
    for field in ["prep_time", "cook_time"] {
      #expect(Rejection.invalidMinutes(field: field).code == "invalid_\(field)")
    }
  }

  @Test func `every checked limit has a code`() throws {
    for rest in try Self.sources.get().after(word: "Limit.") {
      guard let match = rest.prefixMatch(of: /(\w+)\.check\(/) else { continue }
      let limit = Limit.allCases.first { "\($0)" == String(match.1) }
      #expect(limit?.code != nil, "\(match.1) is checked, and RejectionCode has no code for it")
    }
    for limit in Limit.allCases {
      #expect(limit.code?.rawValue == LimitProbe.code(of: limit), "\(limit)")
      #expect(limit.code?.kind ?? .limit == .limit, "\(limit)")
    }
  }

  @Test func `a rejection names the field as it was sent`() throws {
    let refusal = Rejection.emptyText(field: "name")
    let fromHabit = JSON.Member("do", "create_hive_from_habit")
    let sent = refusal.asSent(
      in: .object([fromHabit, .init("p_name", " "), .init("name", .null)]))
    #expect(sent == refusal, "a field that is present keeps its name")
    let other = refusal.asSent(in: .object([fromHabit, .init("p_name", " ")]))
    #expect(other.field == "p_name" && other.reason == refusal.reason)
    #expect(refusal.description.hasPrefix("name: ") && other.description.hasPrefix("p_name: "))
    for line in [
      [:], ["p_name": " "], ["do": "nothing", "p_name": " "],
      ["do": "create_account", "display_name": .null], ["do": "create_hive", "p_name": " "],
    ] as [JSON] {
      #expect(refusal.asSent(in: line) == refusal, "\(line.encoded)")
    }
  }

  @Test func `alternative field names are columns of commands`() {
    let columns = Set(Request.columnTypes.flatMap { $0.columns.map(\.name) })
    for (field, names) in Rejection.otherNames {
      #expect(Set(names).subtracting(columns).isEmpty, "\(field)")
    }
  }

  @Test func `kinds match their codes`() {
    let suited: [(Rejection.Kind, (String) -> Bool)] = [
      (.notFound, { $0.hasSuffix("_not_found") }),
      (.conflict, { $0.hasSuffix("_taken") || $0.hasSuffix("_reused") }),
      (.forbidden, { $0 == "not_owner" || $0 == "not_member" }),
      (.malformed, { $0.hasPrefix("unknown_") && $0 != "unknown_timezone" }),
      (.limit, { $0.hasPrefix("too_many_") || $0.hasSuffix("_too_long") || $0.hasSuffix("_full") }),
      (.untimely, { $0.hasPrefix("future_") || $0.hasSuffix("_expired") }),
      (.invalid, { $0.hasPrefix("empty_") }),
      // An invite code that does not exist is refused like any invalid code, but as not found.
      (
        .invalid,
        {
          $0.hasPrefix("invalid_")
            && !["invalid_code", "invalid_json", "invalid_field"].contains($0)
        }
      ),
    ]
    for code in RejectionCode.allCases {
      for (kind, suits) in suited where suits(code.rawValue) {
        #expect(code.kind == kind, "\(code.rawValue)")
      }
    }
    #expect(Set(RejectionCode.allCases.map(\.kind)) == Set(Rejection.Kind.allCases))
  }

  @Test func `codes and fields are in snake_case, and meanings are sentences`() {
    for code in RejectionCode.allCases {
      for name in [code.rawValue, code.field ?? "none"] {
        #expect(name.wholeMatch(of: /[a-z][a-z0-9]*(_[a-z0-9]+)*/) != nil, "\(name)")
      }
      #expect(code.meaning.hasSuffix(".") && code.meaning.first != " ", "\(code.rawValue)")
    }
  }

  @Test func `a rejection has the code, kind and field of the table`() {
    let rejection = Rejection.habitNotFound
    #expect(rejection.reason == .habitNotFound && rejection.kind == .notFound)
    #expect(rejection.code == "habit_not_found" && rejection.field == "habit")
    #expect(rejection.description == "There is no such habit.")
    // One code, with other fields and sentences.
    #expect(Rejection.notOwner(of: .hive).field == "hive" && Rejection.notOwner.field == nil)
  }
}

extension String {
  /// The text after each occurrence of a word, up to the next one.
  ///
  /// Searched as bytes: a regular expression tried at each letter of the sources takes a second.
  fileprivate func after(_ text: String) -> [Substring] {
    components(separatedBy: text).dropFirst().map { $0[...] }
  }

  /// The same for a text at the start of a word.
  fileprivate func after(word: String) -> [Substring] {
    let pieces = components(separatedBy: word)
    return zip(pieces, pieces.dropFirst()).filter { $0.0.last?.isLetter != true }.map { $0.1[...] }
  }
}
