import PropertyTesting
import Testing

@testable import DaybookCLI

/// The effect of keys on a replay.
@Suite(.tags(.unit)) struct ReplayPlayerTests {
  private func keys(_ text: String) -> [ReplayPlayer.Keystroke] {
    var reader = KeyReader()
    return reader.keys(Array(text.utf8))
  }

  @Test func `terminal sequences are decoded to keys`() {
    #expect(keys(" nq") == [.pause, .forward, .quit])
    #expect(
      keys("\u{1B}[C\u{1B}OC\u{1B}[D\u{1B}[A\u{1B}[B") == [
        .forward, .forward, .back, .back, .forward,
      ])
    #expect(keys("\u{1B}[H\u{1B}[1~\u{1B}[4~\u{1B}[F") == [.start, .start, .end, .end])
    #expect(
      keys("gG+-hlp\u{4}") == [.start, .end, .faster, .slower, .back, .forward, .back, .quit])
  }

  @Test func `unknown input is skipped, and hides no key`() {
    #expect(keys("x\u{1B}[200~é\u{1B}[1;5Cn") == [.forward])
    #expect(keys("\u{1B}q") == [.quit])
    #expect(keys("\u{1B}[" + String(repeating: "1", count: 40) + "nq") == [.forward, .quit])
  }

  @Test func `a sequence may arrive in pieces, cut anywhere`() {
    let bytes = Array("n\u{1B}[C\u{1B}OD\u{1B}[4~ q".utf8)
    for cut in bytes.indices {
      var reader = KeyReader()
      let found = reader.keys(Array(bytes[..<cut])) + reader.keys(Array(bytes[cut...]))
      #expect(found == [.forward, .forward, .back, .end, .pause, .quit], "\(cut)")
    }
  }

  @Test func `a replay plays to its end, stops there, and restarts`() {
    var player = ReplayPlayer(stepCount: 2, isPlaying: true, speed: nil)
    player.advance()
    #expect(player.place == 1 && player.isPlaying)
    player.advance()
    #expect(player.place == 2 && !player.isPlaying)
    player.advance()
    #expect(player.place == 2)
    func after(_ keys: ReplayPlayer.Keystroke...) -> [Bool] { keys.map { player.handle($0) } }
    #expect(after(.pause) == [true] && player.place == 0 && player.isPlaying)
    #expect(after(.back) == [true] && player.place == 0 && !player.isPlaying)
    #expect(after(.end, .forward) == [true, true] && player.place == 2)
    #expect(after(.quit) == [false])
  }

  @Test func `any keys keep the player within its steps and speeds`() {
    let presses = Generator<ReplayPlayer.Keystroke>.element(
      of: [.pause, .forward, .back, .start, .end, .faster, .slower]
    ).array(count: 0...40)
    let report = check("within", Generator.zip(.integer(in: 0...5), presses)) { count, presses in
      var player = ReplayPlayer(stepCount: count, isPlaying: true, speed: nil)
      for key in presses {
        _ = player.handle(key)
        player.advance()
        try expect((0...count).contains(player.place), "\(player.place)")
        try expect(ReplayPlayer.speeds.contains(player.speed), "\(player.speed)")
        try expect((15...4000).contains(player.stepMilliseconds), "\(player.stepMilliseconds)")
      }
    }
    #expect(report.passed, "\(report)")
  }
}
