import Daybook
import Foundation
import PropertyTesting

/// What tests of recipes and groceries are made of.
enum Food {
  /// Where facts of other projects lie: beside the package, never in it.
  static let fixtures = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../../../../shared/fixtures").standardizedFileURL

  /// Whether a fixture is there.
  static func has(_ name: String) -> Bool {
    FileManager.default.fileExists(atPath: fixtures.appending(path: name).path)
  }

  /// The text of a fixture.
  static func text(_ name: String) throws -> String {
    try String(contentsOf: fixtures.appending(path: name), encoding: .utf8)
  }

  /// Numbers of either sign as kitchens have them: whole, halves to twelfths, decimals.
  static let rationals = Generator<(Int, Int64)>.zip(
    .integer(in: -100_000...100_000),
    .element(of: [1, 2, 3, 4, 5, 6, 7, 8, 12, 16, 100, 1_000] as [Int64])
  ).map { terms in Rational(Int64(terms.0), over: terms.1) ?? .zero }
}
