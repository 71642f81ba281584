import Journal
import Testing

/// Dependencies point downward only: the imports that each layer may have.
@Suite(.tags(.unit)) struct ArchitectureTests {
  static let system: Set<String> = ["Android", "Darwin", "Glibc", "Musl", "Synchronization"]

  @Test(
    arguments: [
      ("PropertyTesting", Self.system.union(["Dispatch"])),
      ("PropertyExpectations", ["PropertyTesting", "Synchronization", "Testing"]),
      ("Avro", Self.system.union(["CZstd"])),
      ("Journal", Self.system.union(["Avro", "Crypto"])),
      ("Archives", []),
      ("Values", []),
      ("Pictures", []),
      ("DaybookDocuments", ["CDocuments", "Pictures", "Synchronization"]),
      ("Calendar", ["Avro", "Values"]),
      ("Kitchen", ["Avro", "Calendar", "Values"]),
      ("Streaks", ["Calendar"]),
      ("StreakLaws", ["Calendar", "PropertyTesting", "Streaks"]),
      ("Daybook", ["Avro", "Calendar", "Crypto", "Kitchen", "Streaks", "Values"]),
      ("Catalogue", ["Avro", "Daybook", "DaybookStore"]),
      ("DaybookMCP", ["Avro", "Catalogue", "Daybook", "DaybookStore", "Values"]),
      ("DaybookSQL", ["Avro", "Daybook", "DaybookStore", "Values"]),
      (
        "DaybookReplica",
        ["Avro", "Daybook", "DaybookStore", "Foundation", "FoundationNetworking", "Journal"]
      ),
      (
        "DaybookPage",
        [
          "Avro", "Calendar", "Daybook", "DaybookAPI", "DaybookAuth", "DaybookDocuments",
          "DaybookStore", "Foundation", "HTTPTypes", "Mustache", "Pictures", "Synchronization",
          "Values", "Wire",
        ]
      ),
    ] as [(String, Set<String>)])
  func `a layer imports only layers below it`(layer: String, allowed: Set<String>) throws {
    let files = try Self.sources(under: "Sources/\(layer)")
    #expect(!files.isEmpty)
    for (path, text) in files {
      let imports = Set(text.split(separator: "\n").compactMap(Self.importedModule))
      #expect(imports.subtracting(allowed) == [], "\(path)")
    }
  }

  @Test func `an import is found in every spelling`() {
    let lines = ["import A", "  public import B.C", "@testable import D", "import struct E.F"]
    #expect(lines.compactMap { Self.importedModule($0[...]) } == ["A", "B", "D", "E"])
    #expect(Self.importedModule("// import A") == nil)
    #expect(Self.importedModule("  important = 1") == nil)
  }

  /// Files of the program that make JSON, and why: none of it answers a question about a book.
  private static let makersOfJSON = [
    "CommandAnswer.swift": "a command's answer", "Hive.swift": "a command's answer",
    "Import+Recipe.swift": "commands' answers", "Arguments.swift": "a quoted word",
    "Backup.swift": "what was copied", "EraseAccount.swift": "what was erased",
    "Import.swift": "what was imported", "Seal.swift": "what was sealed",
    "Devices.swift": "what a device has and waits for",
    "Head.swift": "a position of the log", "Verify.swift": "what is whole of the log",
    "Prove.swift": "what is proved of the log", "Bench.swift": "figures",
    "Bench+Growth.swift": "figures",
    "Rejections.swift": "a list that needs no book", "RRule.swift": "a rule that needs no book",
  ]

  @Test func `the program builds no JSON for a book's answers`() throws {
    var makers: Set<String> = []
    for (path, text) in try Self.sources(under: "Sources/DaybookCLI")
    where text.contains(/\bJSON\.(object|array|string|Member)\b|: JSON = \[|-> JSON\b|: JSON \{/) {
      makers.insert(path.split(separator: "/").last.map(String.init) ?? path)
    }
    #expect(makers.subtracting(Self.makersOfJSON.keys) == [], "let a Question answer it")
    #expect(Set(Self.makersOfJSON.keys).subtracting(makers) == [], "take these off the list")
  }

  private static func importedModule(_ line: Substring) -> String? {
    let words = line.split(separator: " ")
    guard let place = words.firstIndex(of: "import"),
      words[..<place].allSatisfy({ $0.hasPrefix("@") || accessLevels.contains(String($0)) })
    else { return nil }
    let kinds = ["struct", "class", "enum", "protocol", "typealias", "func", "var", "let"]
    let name = words[(place + 1)...].first { !kinds.contains(String($0)) }
    return name?.split(separator: ".").first.map(String.init)
  }

  private static let accessLevels = ["public", "package", "internal", "fileprivate", "private"]

  /// The Swift files below a directory of the package, with their texts.
  static func sources(under directory: String) throws -> [(path: String, text: String)] {
    let root = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3)
    var files: [(String, String)] = []
    var directories = [(root + [directory[...]]).joined(separator: "/")]
    let storage = FileStorage()
    while let directory = directories.popLast() {
      for name in try storage.names(in: directory) ?? [] {
        let path = "\(directory)/\(name)"
        guard name.hasSuffix(".swift") else {
          directories.append(path)
          continue
        }
        var bytes: [UInt8] = []
        let file = try storage.open(path, .read)
        try file.read(try file.byteCount(), at: 0, appendingTo: &bytes)
        files.append((path, String(decoding: bytes, as: UTF8.self)))
      }
    }
    return files
  }
}
