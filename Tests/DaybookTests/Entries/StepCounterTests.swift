import Testing

@testable import Daybook

/// The steps of commands in a copy that omits entries.
@Suite(.tags(.unit)) struct StepCounterTests {
  private func head(_ position: Int64, _ step: Int32) -> EntryHead {
    EntryHead(position: position, at: .placeholder, actor: nil, key: nil, step: step)
  }

  @Test func `the remaining entries of a command are counted from 1`() {
    var counter = StepCounter()
    // The commands are entries 5 to 7, 8, and 9 to 11; entries 6 and 9 are omitted.
    let kept = [head(5, 1), head(7, 3), head(8, 1), head(10, 2), head(11, 3)]
    #expect(kept.map { counter.step(of: $0) } == [1, 2, 1, 1, 2])
  }

  @Test func `an entry without a step gets none`() {
    var counter = StepCounter()
    let kept = [head(1, 0), head(2, 0), head(3, 1), head(4, 2), head(5, 0), head(6, 1)]
    #expect(kept.map { counter.step(of: $0) } == [0, 0, 1, 2, 0, 1])
  }

  @Test func `an entry after a gap begins a new command`() {
    var counter = StepCounter()
    #expect(counter.step(of: head(5, 1)) == 1)
    counter.interrupt()
    #expect(counter.step(of: head(6, 2)) == 1)
    #expect(counter.step(of: head(7, 3)) == 2)
  }
}
