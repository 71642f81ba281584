import Foundation
import Testing

@testable import Daybook

/// The walk "Adding an entity" of `Docs/Extending.md` names every file in which its example, the pantry staple, stands.
@Suite(.tags(.unit)) struct KindWalkTests {
  /// The files that the walk says a kind needs, and those that it says use its example, by name.
  private static let walk: (needed: [String], uses: [String]) = {
    let page = (try? SourceFile("Docs/Extending.md").lines) ?? []
    let section = page.drop { $0 != "## Adding an entity" }.dropFirst()
      .prefix { !$0.hasPrefix("## ") }
    let rows = section.drop { $0 != "| file | what it says |" }.prefix { $0.hasPrefix("|") }
    let needed = rows.compactMap { $0.split(separator: "|").first }
    let uses = section.drop { !$0.contains("<!-- uses -->") }.prefix { !$0.isEmpty }
    return (needed.flatMap(files), uses.flatMap { files(in: $0[...]) })
  }()

  /// The Swift files in backquotes.
  private static func files(in text: Substring) -> [String] {
    text.split(separator: "`").map(String.init).filter { $0.hasSuffix(".swift") }
  }

  @Test func `a kind of entity needs at most 15 files, and the walk names them`() throws {
    let (needed, uses) = Self.walk
    #expect(needed.count <= 15)
    let found = try SourceFile.all(below: "Sources").filter { file in
      file.lines.contains {
        $0.contains(/[Pp]antryStaple|pantry_staple|\bPantry(Question)?\.self/)
      }
    }
    let names = found.compactMap { $0.path.split(separator: "/").last.map(String.init) }
    #expect(Set(names).subtracting(needed + uses) == [], "name them in the walk")
    #expect(Set(needed + uses).subtracting(names) == [], "take them off the walk")
    #expect(names.count == needed.count + uses.count, "two files have one name")
  }

  @Test func `the toy has the rooms of its own that the walk begins with`() throws {
    let rooms = Self.walk.needed.prefix(3).map { $0.replacing("PantryStaple", with: "Plant") }
    let toy = try SourceFile.all(below: "Tests/DaybookTests/ToyContext").map(\.path)
    for room in rooms {
      #expect(toy.contains { $0.hasSuffix("/\(room)") }, "\(room)")
    }
  }
}
