import ArgumentParser
import Daybook
import Foundation

/// Parses the name of a streak rule: one that ships with Daybook, or a file.
enum RuleArgument {
  /// Finds a rule.
  ///
  /// - Parameter text: A name listed by `daybook rules`, or the path of a file, which contains a slash or
  ///   ends in `.json`.
  /// - Returns: The rule.
  /// - Throws: `ValidationError` for an unknown name, `CommandFailure` for a file that cannot be read, ``Rejection``
  ///   that names the field for a file that is not a rule.
  static func rule(_ text: String) throws -> StreakRule {
    guard text.contains("/") || text.hasSuffix(".json") else {
      guard let rule = StreakRule.shipped(named: text) else {
        let names = StreakRule.shipped.map(\.id).joined(separator: ", ")
        throw ValidationError(
          "there is no rule \(quoted(text)); the rules are \(names), or give a file such as ./rule.json"
        )
      }
      return rule
    }
    return StreakRule(try definition(at: text))
  }

  /// The definition in a rule file: of a rule that ships with Daybook, or of one at a path.
  static func file(_ text: String) throws -> RuleDefinition {
    if let shipped = RuleFile.shipped.first(where: { $0.id == text }) { return shipped }
    guard let definition = try rule(text).definition else {
      throw CommandFailure("not_found", "\(text) is not a rule file.")
    }
    return definition
  }

  private static func definition(at path: String) throws -> RuleDefinition {
    guard let file = FileHandle(forReadingAtPath: path),
      let bytes = try file.read(upToCount: RuleFile.maximumByteCount + 1)
    else {
      throw CommandFailure("file_not_found", "Could not read \(path); check the path.")
    }
    return try RuleFile.rule(Array(bytes))
  }
}
