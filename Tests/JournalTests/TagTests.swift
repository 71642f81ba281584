import Testing

/// Every suite has a tag for its cost, so that the quick ones can be run alone.
@Suite(.tags(.unit)) struct TagTests {
  @Test func `every suite is tagged unit, program, law or damage`() throws {
    var suites = 0
    for (path, text) in try ArchitectureTests.sources(under: "Tests") {
      suites += Self.declarations(in: text).count
      for name in Self.untagged(in: text) {
        let tags = Self.tags.joined(separator: ", ")
        Issue.record("\(path): \(name) needs one of \(tags)")
      }
    }
    #expect(suites > 150)
  }

  @Test(
    arguments: [
      ("@Suite(.tags(.unit)) struct A {", []),
      ("@Suite(.tags(.law), .temporaryDirectory) final class A {", []),
      ("@Suite(.tags(.damage), .enabled(if: true, \"struct\"))\nstruct A {", []),
      ("@Suite struct A {", ["A"]),
      ("#if DEBUG\n  @Suite struct A {", ["A"]),
      ("@Suite(.temporaryDirectory) struct A {", ["A"]),
      ("@Suite(.tags(.slow)) struct A {", ["A"]),
      ("@Suite(.tags(.unit, .law)) struct A {", ["A"]),
      ("struct A {\n  @Test func b() {", ["A"]),
      ("enum A {\n  @Test(arguments: [1])\n  func b() {", ["A"]),
      ("extension A {\n  @Test func b() {", []),
      ("struct A {\n}\n/// A struct B.\n@Suite(.tags(.law))\nstruct C {\n  @Test func b() {", []),
      ("struct A {\n  func b() {", []),
      ("@Test func `b c`() {", ["b c"]),
      ("@Test(.tags(.law)) func b() {", []),
      ("@Suite(.tags(.law)) struct A {\n}\nstruct B {\n  @Test func c() {", ["B"]),
    ] as [(String, [String])])
  func `a suite, or a test outside any suite, without a tag is reported`(
    text: String, untagged: [String]
  ) {
    #expect(Self.untagged(in: text) == untagged)
  }

  private static let tags = ["unit", "program", "law", "damage"].map { ".tags(.\($0))" }

  /// The suites, and tests outside suites, that have none of the tags or more than one.
  private static func untagged(in text: String) -> [String] {
    declarations(in: text).filter { declaration in
      tags.count { declaration.attributes.contains($0) } != 1
    }.map(\.name)
  }

  /// A declaration at the start of a line that is a test or contains some, with its attributes.
  private static func declarations(in text: String) -> [(name: String, attributes: String)] {
    var found: [(name: String, attributes: String)] = []
    var attributes: String?
    // A type without `@Suite` is a suite, too, once it contains a test.
    var plainType: String?
    for line in text.split(separator: "\n") where !line.hasPrefix("//") {
      let text = line.drop { $0 == " " }
      if text.hasPrefix("@Suite") || line.hasPrefix("@Test") {
        attributes = ""
      } else if line.hasPrefix("  ") {
        if let name = plainType, text.hasPrefix("@Test") {
          found.append((name, ""))
          plainType = nil
        }
        if attributes == nil { continue }
      }
      attributes?.append(contentsOf: line)
      guard let name = name(declaredIn: line) else { continue }
      if let written = attributes { found.append((name, written)) }
      plainType = attributes == nil && !line.hasPrefix("extension") ? name : nil
      attributes = nil
    }
    return found
  }

  private static func name(declaredIn line: Substring) -> String? {
    let keywords = ["struct", "class", "enum", "actor", "func", "extension"]
    let words = line.split(separator: " ", maxSplits: 8)
    guard let place = words.firstIndex(where: { keywords.contains(String($0)) }) else { return nil }
    let rest = words[(place + 1)...].joined(separator: " ")
    guard rest.hasPrefix("`") else {
      return String(rest.prefix { $0.isLetter || $0.isNumber || $0 == "_" })
    }
    return String(rest.dropFirst().prefix { $0 != "`" })
  }
}
