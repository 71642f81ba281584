import Avro
import Daybook
import Testing

@testable import DaybookStore

@Suite(.tags(.law)) struct KeyFilterTests {
  @Test(arguments: [0, 1, 1024, 1025, 9000])
  func `a filter joined from its pieces contains the same keys (HH-26)`(count: Int) {
    var filter = KeyFilter()
    for number in 0..<count { filter.insert(Menu.key(7, number)) }
    var copy = KeyFilter()
    var isTaken = true
    filter.forEachPiece { isTaken = copy.add($0) && isTaken }
    #expect(isTaken && copy.isWhole)
    for number in 0..<count + 200 {
      let key = Menu.key(7, number)
      #expect(copy.mayContain(key) == filter.mayContain(key))
      #expect(copy.mayContain(key) || number >= count)
    }
    // Both filters stay equal as keys are added.
    for number in count..<count + 3000 {
      filter.insert(Menu.key(7, number))
      copy.insert(Menu.key(7, number))
    }
    var (pieces, copies) = ([KeyFilter.Piece](), [KeyFilter.Piece]())
    filter.forEachPiece { pieces.append($0) }
    copy.forEachPiece { copies.append($0) }
    #expect(pieces == copies)
  }

  @Test func `mismatched pieces are refused`() {
    var filter = KeyFilter()
    for number in 0..<2000 { filter.insert(Menu.key(7, number)) }
    var pieces: [KeyFilter.Piece] = []
    filter.forEachPiece { pieces.append($0) }
    #expect(pieces.count == 2)
    func isTaken(_ change: (inout [KeyFilter.Piece]) -> Void) -> Bool {
      var changed = pieces
      change(&changed)
      var copy = KeyFilter()
      return changed.allSatisfy { copy.add($0) } && copy.isWhole
    }
    #expect(isTaken({ _ in }))
    #expect(!isTaken({ $0.swapAt(0, 1) }))
    #expect(!isTaken({ $0.remove(at: 0) }))
    #expect(!isTaken({ $0[1].words.bytes.removeLast() }))
    #expect(!isTaken({ $0[1].words.bytes.removeLast(8) }))
    #expect(!isTaken({ $0[1].room = -1 }))
    #expect(!isTaken({ $0[0].room = 1025 }))
    #expect(!isTaken({ $0[1].layer = 7 }))
    #expect(!isTaken({ $0.append($0[1]) }))
  }
}
