/// Where a replay is that plays, and what the keys do to it.
struct ReplayPlayer {
  /// A key that means something.
  enum Key: Hashable {
    case pause, forward, back, start, end, faster, slower, quit
  }

  /// The fewest and the most steps a second.
  static let speeds = 0.25...64.0

  /// How many steps there are.
  let stepCount: Int
  /// How many of them are done.
  private(set) var place = 0
  /// Whether it goes on by itself.
  private(set) var isPlaying: Bool
  /// How many steps it does a second.
  private(set) var speed: Double

  /// Begins before the first step.
  init(stepCount: Int, isPlaying: Bool, speed: Double?) {
    self.stepCount = stepCount
    self.isPlaying = isPlaying && stepCount > 0
    // All of it within half a minute, but no step sooner than one sees it.
    let usual = min(24, max(2, Double(stepCount) / 30))
    self.speed = min(max(speed ?? usual, Self.speeds.lowerBound), Self.speeds.upperBound)
  }

  /// How long until it does a step by itself.
  var stepMilliseconds: Int { Int((1000 / speed).rounded()) }

  /// Does a step by itself; at the end it stops.
  mutating func advance() {
    guard isPlaying else { return }
    place = min(place + 1, stepCount)
    if place == stepCount { isPlaying = false }
  }

  /// Does what a key says.
  ///
  /// - Returns: Whether it goes on; nothing more is played else.
  mutating func take(_ key: Key) -> Bool {
    switch key {
    case .pause:
      // At the end there is nothing to go on with but from the beginning.
      if place == stepCount, !isPlaying { place = 0 }
      isPlaying = !isPlaying && stepCount > 0
    case .forward: (isPlaying, place) = (false, min(place + 1, stepCount))
    case .back: (isPlaying, place) = (false, max(place - 1, 0))
    case .start: (isPlaying, place) = (false, 0)
    case .end: (isPlaying, place) = (false, stepCount)
    case .faster: speed = min(speed * 2, Self.speeds.upperBound)
    case .slower: speed = max(speed / 2, Self.speeds.lowerBound)
    case .quit: return false
    }
    return true
  }
}

/// Tells keys from the bytes that a terminal sends for them. What means nothing is passed over.
struct KeyReader {
  /// What began as a sequence and has not ended yet.
  private var rest: [UInt8] = []

  private static let letters: [UInt8: ReplayPlayer.Key] = [
    0x20: .pause, 0x6E: .forward, 0x6C: .forward, 0x70: .back, 0x68: .back, 0x67: .start,
    0x47: .end, 0x2B: .faster, 0x2D: .slower, 0x71: .quit, 0x51: .quit, 0x04: .quit,
  ]
  /// How the sequences end that begin with `ESC [` or `ESC O`.
  private static let sequences: [String: ReplayPlayer.Key] = [
    "C": .forward, "B": .forward, "D": .back, "A": .back, "H": .start, "F": .end, "1~": .start,
    "7~": .start, "4~": .end, "8~": .end,
  ]

  /// The keys of some bytes.
  mutating func keys(_ bytes: [UInt8]) -> [ReplayPlayer.Key] {
    var keys: [ReplayPlayer.Key] = []
    for byte in bytes {
      if rest.isEmpty {
        if byte == 0x1B { rest = [byte] } else if let key = Self.letters[byte] { keys.append(key) }
      } else if rest.count == 1 {
        // Escape, and a key for itself; or a sequence.
        rest = byte == 0x5B || byte == 0x4F ? rest + [byte] : []
        if rest.isEmpty, let key = Self.letters[byte] { keys.append(key) }
      } else {
        rest.append(byte)
        guard (0x40...0x7E).contains(byte) || rest.count > 16 else { continue }
        let name = String(decoding: rest.dropFirst(2), as: UTF8.self)
        if let key = Self.sequences[name] { keys.append(key) }
        rest = []
      }
    }
    return keys
  }
}
