import Daybook
import PropertyTesting
import Testing

@Suite(.tags(.unit)) struct AxisTests {
  @Test func `an axis has few, round and equal steps up to the greatest value (DG-5)`() {
    let amounts = Generator<Int64>.integer(in: 0...1_000_000_000_000)
    let report = check("axes", Generator.zip(amounts, Generator<Int>.integer(in: 1...12))) {
      thousandths, count in
      let greatest = Amount(thousandths: thousandths) ?? .zero
      let marks = Axis.marks(upTo: greatest, steps: count).map(\.thousandths)
      try expectEqual(marks.first, 0)
      try expectEqual(marks.count - 1 <= count, true)
      let steps = Set(zip(marks, marks.dropFirst()).map { $1 - $0 })
      try expectEqual(steps.count, 1)
      var step = steps.first ?? 0
      while step % 10 == 0, step > 0 { step /= 10 }
      try expectEqual([1, 2, 5].contains(step), true)
      try expectEqual((marks.last ?? 0) >= thousandths, true)
    }
    #expect(report.passed, "\(report)")
    #expect(Axis.marks(upTo: 7).map(\.description) == ["0", "2", "4", "6", "8"])
    let days = Axis.marks(upTo: 2, isWhole: true)
    #expect(days.map(\.description) == ["0", "1", "2"])
    #expect(Axis.marks(upTo: .zero).map(\.description) == ["0", "1"])
  }
}
