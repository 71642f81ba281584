import Daybook
import PropertyTesting
import Testing

@Suite(.tags(.unit)) struct RankTests {
  @Test func `a rank lies between its neighbours, and reads back (DM-1)`() {
    let choices = Generator<Int>.integer(in: 0...1000).array(count: 1...60)
    let report = check("ranks", choices, cases: 2000) { choices in
      var ranks: [Rank] = []
      for choice in choices {
        let place = choice % (ranks.count + 1)
        let low = place > 0 ? ranks[place - 1] : nil
        let high = place < ranks.count ? ranks[place] : nil
        let rank = Rank.between(low, high)
        try expect(low.map { $0 < rank } ?? true)
        try expect(high.map { rank < $0 } ?? true)
        try expectEqual(Rank(rank.text), rank)
        ranks.insert(rank, at: place)
      }
    }
    #expect(report.passed, "\(report)")
  }

  @Test func `ranks stay short over ten thousand moves (DM-1)`() {
    var source = SystemLikeNumbers(state: 42)
    var ranks: [Rank] = []
    for _ in 0..<100 { ranks.append(.between(ranks.last, nil)) }
    for _ in 0..<10_000 {
      ranks.remove(at: source.below(ranks.count))
      let place = source.below(ranks.count + 1)
      let low = place > 0 ? ranks[place - 1] : nil
      ranks.insert(.between(low, place < ranks.count ? ranks[place] : nil), at: place)
    }
    #expect(ranks == ranks.sorted())
    #expect(Set(ranks).count == 100)
    #expect(ranks.allSatisfy { $0.text.utf8.count <= 24 })
  }

  @Test func `ten thousand tasks appended or prepended need four characters (DM-1)`() {
    var (last, first) = (Rank.first, Rank.first)
    for _ in 0..<10_000 {
      let (next, before) = (Rank.between(last, nil), Rank.between(nil, first))
      #expect(last < next && before < first)
      (last, first) = (next, before)
    }
    #expect(last.text.utf8.count == 4 && first.text.utf8.count == 4)
  }

  @Test(arguments: ["", "a", "0", "a00", "b0", "a!", "é0", "A" + String(repeating: "0", count: 26)])
  func `text that is not a rank is refused`(text: String) {
    #expect(Rank(text) == nil)
  }

  @Test func `a rank has at most two hundred characters (DM-1)`() {
    #expect(Rank(String(repeating: "z", count: 200)) != nil)
    #expect(Rank(String(repeating: "z", count: 201)) == nil)
  }

  @Test func `there is room at both ends of all ranks`() throws {
    let last = try #require(Rank("z" + String(repeating: "z", count: 26)))
    #expect(last < Rank.between(last, nil))
    let first = try #require(Rank("A" + String(repeating: "0", count: 26) + "1"))
    let before = Rank.between(nil, first)
    #expect(before < first)
    #expect(Rank(before.text) == before)
    let second = try #require(Rank("A" + String(repeating: "0", count: 25) + "1"))
    let former = Rank.between(nil, second)
    #expect(former < second)
    #expect(Rank(former.text) == former)
  }
}

/// Random numbers that are the same in every run.
private struct SystemLikeNumbers {
  var state: UInt64

  mutating func below(_ count: Int) -> Int {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int(state >> 33) % count
  }
}
