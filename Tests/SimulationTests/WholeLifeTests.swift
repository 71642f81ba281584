import SimulatedStorage
import Testing

@testable import CrashSimulation

/// A few of the lives that the program `CrashSimulation --whole` runs at length.
@Suite(.tags(.damage)) struct WholeLifeTests {
  /// In the first a backup was made during an erasure; in the second the power failed while files made from the
  /// erased entries were removed.
  @Test(arguments: [0x9d4b_8ad5_584d_f101, 0x49c4_96e8_45f7_fd4b, 1] as [UInt64])
  func `every promise holds throughout a book's whole life (ES-1, ES-6)`(seed: UInt64) {
    #expect(WholeLives.live(seed).flaw == nil)
  }

  @Test func `a seed gives the same life each time`() throws {
    let disks = try (0..<2).map { _ in
      let life = WholeLife(seed: 7)
      try life.live(steps: 12)
      return life.disk.fingerprint
    }
    #expect(disks[0] == disks[1])
  }
}
