import ArgumentParser
import Daybook
import Foundation

/// A streak rule as words name it: one that comes with Daybook, or a file.
enum RuleArgument {
  /// Finds a rule.
  ///
  /// - Parameter text: A name of `daybook rules`; or the path of a file, which has a slash or ends in `.json`.
  /// - Returns: The rule.
  /// - Throws: `ValidationError` for a name that there is not, `Failure` for a file that cannot be read,
  ///   ``Rejection`` that names the field for one that is no rule.
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

  /// What a rule file says: of a rule that comes with Daybook, or of one at a path.
  static func file(_ text: String) throws -> RuleDefinition {
    if let shipped = RuleFile.shipped.first(where: { $0.id == text }) { return shipped }
    guard let definition = try rule(text).definition else {
      throw Failure("not_found", "\(text) is no rule file.")
    }
    return definition
  }

  private static func definition(at path: String) throws -> RuleDefinition {
    guard let file = FileHandle(forReadingAtPath: path),
      let bytes = try file.read(upToCount: RuleFile.maximumByteCount + 1)
    else {
      throw Failure("file_not_found", "Could not read \(path); check the path.")
    }
    return try RuleFile.rule(Array(bytes))
  }
}
