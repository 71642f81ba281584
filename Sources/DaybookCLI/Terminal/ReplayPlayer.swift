/// The state of a playing replay, and the effect of the keys on it.
struct ReplayPlayer {
  /// A key with a function.
  enum Keystroke: Hashable {
    case pause, forward, back, start, end, faster, slower, quit
  }

  /// The slowest and the fastest speed, in steps per second.
  static let speeds = 0.25...64.0

  /// The number of steps.
  let stepCount: Int
  /// The number of steps done.
  private(set) var place = 0
  /// Whether the replay advances by itself.
  private(set) var isPlaying: Bool
  /// The speed in steps per second.
  private(set) var speed: Double

  /// Starts before the first step.
  init(stepCount: Int, isPlaying: Bool, speed: Double?) {
    self.stepCount = stepCount
    self.isPlaying = isPlaying && stepCount > 0
    // By default the whole replay takes half a minute, but no step is too short to see.
    let usual = min(24, max(2, Double(stepCount) / 30))
    self.speed = min(max(speed ?? usual, Self.speeds.lowerBound), Self.speeds.upperBound)
  }

  /// The time between two automatic steps.
  var stepMilliseconds: Int { Int((1000 / speed).rounded()) }

  /// Does an automatic step; stops at the end.
  mutating func advance() {
    guard isPlaying else { return }
    place = min(place + 1, stepCount)
    if place == stepCount { isPlaying = false }
  }

  /// Handles a key.
  ///
  /// - Returns: Whether the replay continues; otherwise it has ended.
  mutating func handle(_ key: Keystroke) -> Bool {
    switch key {
    case .pause:
      // Playing at the end restarts from the beginning.
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

/// Recognises keys in the bytes that a terminal sends. Unknown bytes are ignored.
struct KeyReader {
  /// The bytes of an incomplete sequence.
  private var rest: [UInt8] = []

  private static let letters: [UInt8: ReplayPlayer.Keystroke] = [
    0x20: .pause, 0x6E: .forward, 0x6C: .forward, 0x70: .back, 0x68: .back, 0x67: .start,
    0x47: .end, 0x2B: .faster, 0x2D: .slower, 0x71: .quit, 0x51: .quit, 0x04: .quit,
  ]
  /// The ends of the sequences that begin with `ESC [` or `ESC O`.
  private static let sequences: [String: ReplayPlayer.Keystroke] = [
    "C": .forward, "B": .forward, "D": .back, "A": .back, "H": .start, "F": .end, "1~": .start,
    "7~": .start, "4~": .end, "8~": .end,
  ]

  /// The keys in some bytes.
  mutating func keys(_ bytes: [UInt8]) -> [ReplayPlayer.Keystroke] {
    var keys: [ReplayPlayer.Keystroke] = []
    for byte in bytes {
      if rest.isEmpty {
        if byte == 0x1B { rest = [byte] } else if let key = Self.letters[byte] { keys.append(key) }
      } else if rest.count == 1 {
        // Either Escape followed by a separate key, or a sequence.
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
