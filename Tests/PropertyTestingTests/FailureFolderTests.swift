import Foundation
import Testing

@testable import PropertyTesting

/// A failed case is tried first the next time, until it no longer fails.
@Suite(.tags(.unit), .pinnedRuns) struct FailureFolderTests {
  private let numbers = Generator.integer(in: 0...1_000).array(count: 0...30)

  /// Runs a body with a folder of its own.
  private func withFolder(_ work: (String) throws -> Void) throws {
    let folder = NSTemporaryDirectory() + "failures-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try work(folder)
  }

  /// A run with a folder, and a fixed seed.
  private func run(
    _ folder: String, name: String = "small", seed: UInt64 = 1, cases: Int = 100,
    _ holds: @escaping ([Int]) -> Bool
  ) throws -> Report<[Int]> {
    var run = PropertyRun(name: name, generator: numbers, shrinkLimit: 10_000) { value, _ in
      if !holds(value) { throw ReturnedFalse() }
    }
    let environment = try Environment { _ in nil }
    return run.remembered(in: folder)
      ?? run.random(cases: cases, seed: seed, environment: environment)
  }

  private func files(_ folder: String) -> [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
  }

  @Test func `a remembered failure is tried first, even one that chance would not find`() throws {
    try withFolder { folder in
      let holds: ([Int]) -> Bool = { $0.count < 12 || !$0.contains { $0 > 700 } }
      let found = try run(folder, cases: 1_000, holds)
      #expect(found.counterExample?.origin == .chance)
      #expect(files(folder).count == 1)
      let again = try run(folder, cases: 1, holds)
      let example = try #require(again.counterExample)
      #expect(example.origin == .remembered && example.seed == nil && example.caseNumber == 0)
      #expect(example.minimal == found.counterExample?.minimal)
      #expect(again.description.hasPrefix("“small” is false in a case that is remembered\n"))
      // Another property is unaffected.
      #expect(try run(folder, name: "other", cases: 1, holds).passed)
    }
  }

  @Test func `a fixed failure is forgotten`() throws {
    try withFolder { folder in
      _ = try run(folder) { $0.count < 3 }
      #expect(files(folder).count == 1)
      #expect(try run(folder) { _ in true }.passed)
      #expect(files(folder).isEmpty)
    }
  }

  @Test func `the first failure is remembered even if shrinking found another`()
    throws
  {
    try withFolder { folder in
      // Eight zeros are simpler than an overlong list, and fail as well.
      let isLong: ([Int]) -> Bool = { $0.count > 12 }
      let isOnlyZeros: ([Int]) -> Bool = { $0.count >= 8 && $0.allSatisfy { $0 == 0 } }
      let slipped = try run(folder) { !isLong($0) && !isOnlyZeros($0) }
      #expect(slipped.counterExample?.minimal == Array(repeating: 0, count: 8))
      // The zeros are fixed: the first failure is still known.
      let left = try run(folder, cases: 1) { !isLong($0) }
      #expect(left.counterExample?.origin == .remembered)
      #expect(left.counterExample?.minimal.count == 13)
    }
  }

  @Test(arguments: ["", "small", "small\n1 x 2\n-1\n99999999999999999999\n", "\u{0}\n\n\n7"])
  func `a corrupt file is ignored`(text: String) throws {
    try withFolder { folder in
      _ = try run(folder) { $0.count < 3 }
      let file = try #require(files(folder).first)
      let path = folder + "/" + file
      try Data(text.utf8).write(to: URL(fileURLWithPath: path))
      let report = try run(folder, cases: 10) { _ in true }
      #expect(report.passed && report.cases == 10)
    }
  }

  @Test func `an unwritable folder is reported, and hides no failure`() throws {
    let report = try run("/dev/null/none") { $0.count < 3 }
    #expect(report.counterExample?.minimal == [0, 0, 0])
    #expect(report.description.contains("the folder of PROPERTY_FAILURES cannot be written"))
  }

  @Test func `the environment names the folder`() throws {
    #expect(try Environment { _ in nil }.failures == nil)
    #expect(try Environment { $0 == "PROPERTY_FAILURES" ? "" : nil }.failures == nil)
    #expect(try Environment { $0 == "PROPERTY_FAILURES" ? "f" : nil }.failures == "f")
  }
}
