/// The extent of a simulation.
struct Tally: Sendable {
  /// The origin of an examined disk.
  enum Kind: String, CaseIterable, Sendable {
    case powerLoss = "the power went"
    case secondCrash = "the power went again while the book was recovered"
    case kill = "the program was killed, and the power went under the next"
    case fault = "a call to the disk failed, and the power went"
    case damage = "a byte on disk was wrong or the end was missing"
    case walk = "random walks"
  }

  var scripts = 0
  var walks = 0
  /// Distinct disks that were examined.
  var disks = 0
  /// Runs in which a call failed.
  var faults = 0
  /// Readings during another program's writes.
  var readings = 0
  private(set) var states: [Kind: Int] = [:]

  /// Disks that were found after a crash.
  var stateCount: Int { states.values.reduce(0, +) }

  mutating func count(_ kind: Kind) { states[kind, default: 0] += 1 }

  mutating func add(_ other: Tally) {
    scripts += other.scripts
    walks += other.walks
    disks += other.disks
    faults += other.faults
    readings += other.readings
    states.merge(other.states, uniquingKeysWith: +)
  }
}

extension Tally: CustomStringConvertible {
  /// A line for each count.
  var description: String {
    var lines = [(scripts, "scripts"), (walks, "random walks")]
    lines += Kind.allCases.map { (states[$0, default: 0], "states: \($0.rawValue)") }
    lines += [
      (stateCount, "states in all"), (disks, "different disks among them"),
      (faults, "failed calls"), (readings, "readings while another wrote"),
    ]
    return lines.map { count, what in
      let digits = String(count)
      return String(repeating: " ", count: max(0, 10 - digits.count)) + "\(digits) \(what)"
    }.joined(separator: "\n")
  }
}
