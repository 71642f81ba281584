import PropertyTesting
import Testing

@Suite(.tags(.unit), .pinnedRuns) struct GeneratorTests {
  @Test func `the same seed gives the same values on every platform`() throws {
    let generator = Generator.integer(in: 0...1_000_000).array(count: 3...3)
    let values = try generator.samples(2, seed: 42)
    #expect(values == (try generator.samples(2, seed: 42)))
    #expect(values != (try generator.samples(2, seed: 43)))
    // Pinned: a change here changes the meaning of every printed seed.
    #expect(values == [[53474, 2195, 315463], [595155, 366336, 1]])
  }

  @Test func `integers stay in their range and reach both ends`() throws {
    for range in [0...0, -3...3, 5...9, -9 ... -5, -1_000_000...3, .min ... .max] {
      let values = try Generator<Int>.integer(in: range).samples(2_000, seed: 1)
      #expect(values.allSatisfy { range.contains($0) })
      #expect(values.contains(range.lowerBound) && values.contains(range.upperBound), "\(range)")
    }
    let bytes = try Generator<UInt8>.integer().samples(20_000, seed: 1)
    #expect(Set(bytes).count == 256)
  }

  @Test func `lengths cover the whole range`() throws {
    let lists = try Generator.constant(0).array(count: 2...6).samples(500, seed: 3)
    #expect(Set(lists.map(\.count)) == [2, 3, 4, 5, 6])
  }

  @Test func `cases grow from small to large`() {
    var counts: [Int] = []
    let lists = Generator.constant(0).array(count: 0...100)
    let report = check("grows", lists, cases: 200, seed: 0) { list in
      counts.append(list.count)
      return true
    }
    #expect(report.passed)
    #expect(counts.prefix(10).allSatisfy { $0 <= 20 })
    #expect(counts.suffix(100).contains { $0 > 70 })
  }

  @Test func `the size runs from just above zero to one`() {
    var sizes: [Double] = []
    let report = check("size", Generator { $0.size }, cases: 50) { size in
      sizes.append(size)
      return size > 0 && size <= 1
    }
    #expect(report.passed, "\(report)")
    #expect(sizes.last == 1)
  }

  @Test func `weights are kept`() throws {
    let values = try Generator.frequency(
      (1, .constant("a")), (0, .constant("never")), (9, .constant("b"))
    ).samples(2_000, seed: 7)
    let share = values.count { $0 == "a" }
    #expect((120...280).contains(share))
    #expect(!values.contains("never"))
    let truths = try Generator<Bool>.bool(probability: 0.2).samples(2_000, seed: 7)
    #expect((320...480).contains(truths.count { $0 }))
    #expect(try Generator<Bool>.bool(probability: 0).samples(50, seed: 1).allSatisfy { !$0 })
    #expect(try Generator<Bool>.bool(probability: 1).samples(50, seed: 1).allSatisfy { $0 })
    let present = try Generator.constant(1).optional().samples(2_000, seed: 7)
    #expect((400...600).contains(present.count { $0 == nil }))
  }

  @Test func `a permutation keeps its elements`() {
    let report = check("permutation", .permutation(of: [1, 2, 3, 4, 5])) { list in
      list.sorted() == [1, 2, 3, 4, 5]
    }
    #expect(report.passed, "\(report)")
  }

  @Test func `distinct lists, sets and dictionaries hold as many values as asked for`() {
    let digits = Generator.integer(in: 0...9)
    let all = Generator.zip(
      digits.distinct(count: 3...10), digits.set(count: 3...10),
      digits.dictionary(to: .bool(), count: 3...10))
    let report = check("counts", all, cases: 500) { list, set, dictionary in
      Set(list).count == list.count && (3...10).contains(list.count)
        && (3...10).contains(set.count) && (3...10).contains(dictionary.count)
    }
    #expect(report.passed, "\(report)")
    #expect(report.discarded == 0)
  }

  @Test func `a set that cannot be filled gives up`() {
    let report = check("full", Generator<Bool>.bool().set(count: 3...5)) { _ in true }
    #expect(!report.passed)
    #expect(report.description.contains("most often because: fewer than 3 different values"))
  }

  @Test func `doubles stay in their range`() {
    let ranges: [ClosedRange<Double>] = [
      0...0, 0.25...0.75, -1.5...1_000, -.greatestFiniteMagnitude ... .greatestFiniteMagnitude,
    ]
    for range in ranges {
      let report = check("range", .double(in: range), cases: 1_000) { range.contains($0) }
      #expect(report.passed, "\(report)")
    }
  }

  @Test func `arbitrary doubles include NaN and infinity`() {
    let report = check("kinds", .anyDouble(), cases: 1_000) { number, statistics in
      statistics.cover("nan", atLeast: 0.5, number.isNaN)
      statistics.cover("infinite", atLeast: 0.5, number.isInfinite)
      statistics.cover("whole", atLeast: 5, number == number.rounded())
    }
    #expect(report.passed, "\(report)")
  }

  @Test func `Unicode text is valid and varied`() {
    let report = check("text", .unicode(count: 0...20), cases: 2_000) { text, statistics in
      try expectEqual(String(validating: Array(text.utf8), as: UTF8.self), text)
      let scalars = text.unicodeScalars
      statistics.cover("combining", atLeast: 10, scalars.contains { $0.value == 0x301 })
      statistics.cover("emoji", atLeast: 10, scalars.contains { $0.properties.isEmoji })
      statistics.cover("joined", atLeast: 5, scalars.contains { $0.value == 0x200D })
      statistics.cover("Hebrew", atLeast: 5, scalars.contains { (0x5D0...0x5EA) ~= $0.value })
      statistics.cover("astral", atLeast: 10, scalars.contains { $0.value > 0xFFFF })
      statistics.cover("empty", atLeast: 1, text.isEmpty)
    }
    #expect(report.passed, "\(report)")
  }

  @Test func `ASCII text is printable`() {
    let report = check("text", .ascii(count: 0...50)) { text in
      text.utf8.allSatisfy { (0x20...0x7E) ~= $0 } && text.count <= 50
    }
    #expect(report.passed, "\(report)")
  }

  @Test func `a generator that never ends is discarded`() {
    let endless = Generator { source in
      while true { _ = try source.choose(upTo: 1) }
    }
    let report = check("endless", endless.map { 0 }, cases: 1) { _ in true }
    #expect(report.description.contains("more than 100000 choices"), "\(report)")
  }
}
