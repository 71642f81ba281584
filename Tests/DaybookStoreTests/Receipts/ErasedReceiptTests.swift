import Avro
import Daybook
import Journal
import SimulatedStorage
import Testing

@testable import DaybookStore

/// An erasure leaves nothing in the stored answers, even when it is interrupted.
@Suite(.tags(.law)) struct ErasedReceiptTests {
  private typealias Stage = ReceiptStage

  private static func text(of disk: any Storage) throws -> String {
    try Stage.files(of: disk).map { path in
      let file = try disk.open(path, .read)
      var bytes: [UInt8] = []
      try file.read(try file.byteCount(), at: 0, appendingTo: &bytes)
      return try Stage.text(of: bytes)
    }.joined()
  }

  /// Ada's words in rows of her own and of the household that she shares with Bob, in a sealed segment and after it.
  private static func stage(_ storage: any Storage) throws -> Book {
    let book = try Stage.open(storage)
    let lines =
      Stage.beginning + [
        #"{"do":"add_household_member","as":"\#(Stage.ada)","member":"\#(Stage.bob)"}"#,
        #"{"do":"create_task","as":"\#(Stage.ada)","title":"SECRET","id":"\#(Menu.key(7, 90))"}"#,
      ]
    let answers = try Stage.answers(lines, of: book)
    #expect(answers.allSatisfy { $0.hasPrefix(#"{"ok""#) }, "\(answers)")
    try book.seal()
    let more = [
      #"{"do":"create_task","as":"\#(Stage.ada)","title":"SECRET","id":"\#(Menu.key(7, 91))"}"#,
      #"{"do":"update_profile","as":"\#(Stage.ada)","display_name":"SECRET","#
        + #""id":"\#(Menu.key(7, 92))"}"#,
      #"{"do":"create_task","as":"\#(Stage.bob)","title":"plain","id":"\#(Menu.key(7, 93))"}"#,
    ]
    _ = try Stage.answers(more, of: book)
    return book
  }

  @Test func `an erasure removes all receipts, and later ones are stored again (ES-6)`()
    throws
  {
    let storage = MemoryStorage()
    let book = try Self.stage(storage)
    #expect(try Self.text(of: storage).contains("SECRET"))
    try book.erase(try #require(book.read { $0.accounts.number(of: Stage.ada) }))
    #expect(try Stage.files(of: storage).isEmpty)
    let old =
      #"{"do":"create_task","as":"\#(Stage.bob)","title":"plain","id":"\#(Menu.key(7, 93))"}"#
    let bare = try Stage.open(try Stage.bare(storage))
    #expect(try Stage.answers([old], of: book) == Stage.answers([old], of: bare))
    let new =
      #"{"do":"create_task","as":"\#(Stage.bob)","title":"new","id":"\#(Menu.key(7, 94))"}"#
    let first = try Stage.answers([new], of: book)
    #expect(try Self.text(of: storage).contains("new"))
    #expect(try Stage.answers([new], of: book) == first)
  }

  @Test func `an interrupted erasure is finished, and leaves no receipt of the account (ES-6)`()
    throws
  {
    let storage = SimulatedStorage(faults: [:], keepsHistory: true)
    let book = try Self.stage(storage)
    let start = storage.history.count
    try book.erase(try #require(book.read { $0.accounts.number(of: Stage.ada) }))
    var random = Stage.Random(state: 0xDA7)
    var erasedCount = 0
    for disk in storage.history.dropFirst(start) {
      for _ in 0..<2 {
        let found = SimulatedStorage(disk.crashState(using: &random).disk)
        guard let book = try? Stage.open(found),
          book.read({ $0.accounts.elements.first?.isErased == true })
        else { continue }
        erasedCount += 1
        #expect(try !Self.text(of: found).contains("SECRET"))
      }
    }
    #expect(erasedCount > 8)
  }
}
