import Daybook
import DaybookStore
import Foundation
import Testing

/// A book in files, as an embedding program keeps it.
@Suite(.tags(.unit)) struct FilesTests {
  @Test func `a book is kept, backed up, verified, exported and followed`() async throws {
    let folder = FileManager.default.temporaryDirectory.path + "/client-\(UUID())"
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let path = folder + "/my.daybook"
    let book = try Book(at: path)
    #expect(book.recovered == nil)
    let ada = try await book.record(CreateAccount(name: "Ada", timeZone: "Europe/London"))
    let read = try await book.record(CreateHabit(name: "Read"), by: ada)
    try await book.record(LogHabit(read), by: ada)
    try book.seal()

    let noted = try book.reader.head().head
    let found = try book.reader.verify(expecting: noted)
    #expect(found.isWhole && found.entryCount == 3 && found.damages.isEmpty)
    try book.backup(to: folder + "/backup")
    try BookReader(at: folder + "/backup").restore(to: folder + "/restored")
    #expect(
      try BookReader(at: folder + "/restored").state().habits[read]?.description.name == "Read")

    var lines: [String] = []
    #expect(try book.reader.export(as: .jsonl) { lines.append($0) } == 3)
    let copy = Book.inMemory()
    var rest = lines.makeIterator()
    try copy.importExport(file: "the export") { rest.next().map { Array($0.utf8) } }
    #expect(copy.read { $0.digest } == book.read { $0.digest })

    for try await entry in book.reader.tail(from: 3) {
      guard case .habitLogged(let logged) = entry.event else { continue }
      #expect(logged.habit == read && entry.head.actor == ada)
      break
    }

    #expect(try book.erase(ada) > 0)
    #expect(try BookReader(at: path).state().accounts[ada]?.isErased == true)
  }

  @Test func `an error about a file names its path`() throws {
    #expect(throws: JournalError.self) { try BookReader(at: "/nowhere/at/all").state() }
    do {
      _ = try BookReader(at: "/nowhere/at/all").state()
    } catch {
      #expect("\(error)".contains("/nowhere/at/all"))
    }
  }
}
