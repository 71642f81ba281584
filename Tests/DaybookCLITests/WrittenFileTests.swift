import Foundation
import Testing

/// Files that the program writes on request.
@Suite(.tags(.program)) struct WrittenFileTests {
  private static let segment = "my.daybook/journal/00000000000000000001.avro"

  static let commands = [
    ["export", "--output"], ["export", "--format", "csv", "--output"],
    ["export", "--format", "ics", "--tasks", "--output"], ["prove", "Read", "--output"],
    ["heatmap", "Read", "--svg"], ["insights", "--svg"],
  ]

  @Test(arguments: commands)
  func `no output overwrites a book's own files`(words: [String]) throws {
    let ada = try AdasBook()
    let before = try ada.daybook.files()
    try FileManager.default.createSymbolicLink(
      atPath: ada.daybook.path("link"), withDestinationPath: "my.daybook/journal")
    for path in [
      Self.segment, "./my.daybook/../\(Self.segment)", ada.daybook.path(Self.segment),
      "link/00000000000000000001.avro", "my.daybook/LOCK", "my.daybook/new",
    ] {
      let run = try ada.daybook.run(words + [path])
      #expect(run.status == 1, "\(path): \(run.error)")
      #expect(run.error.contains("this is inside a book's directory"), "\(run.error)")
    }
    let after = try ada.daybook.files().filter { !$0.key.hasPrefix(".") }
    #expect(after == before.filter { !$0.key.hasPrefix(".") })
    let backup = try ada.daybook("backup", "my.daybook/journal/copy")
    #expect(backup.status == 1 && backup.error.contains("this is inside a book's directory"))
    let outside = try ada.daybook.run(words + ["it"])
    #expect(outside.status == 0, "\(outside.error)")
    #expect(try ada.daybook("verify").status == 0)
  }
}
