/// Looks for cases of a high score: it climbs from the best case known of each label, a choice at a time.
///
/// The way is the hill climbing of Löscher and Sagonas, "Targeted property-based testing" (ISSTA 2017), over choices:
/// what raises the score is done again, twice as far; else another choice is tried. What it proposes depends on the
/// cases before it and on its seed alone.
struct Guide {
  /// The best case known of a label.
  private struct Hill {
    let label: String
    var score: Double
    var choices: [Source.Choice]
    /// What raised the score last: which choice, by how much and in which direction.
    var climb: Climb?
  }

  private struct Climb {
    var position: Int
    var amount: UInt64
    var isUp: Bool
  }

  private var hills: [Hill] = []
  private var turn = 0
  private var tried: (hill: Int, climb: Climb?)?
  private var random: SplitMix64

  init(seed: UInt64) { random = SplitMix64(seed: SplitMix64.mix(seed)) }

  /// Whether there is a score to raise.
  var isEmpty: Bool { hills.isEmpty }

  /// Takes the scores of a case that passed.
  mutating func note(_ scores: [(label: String, score: Double)], _ choices: [Source.Choice]) {
    if let tried { hills[tried.hill].climb = nil }
    for (label, score) in scores where !score.isNaN {
      guard let index = hills.firstIndex(where: { $0.label == label }) else {
        hills.append(Hill(label: label, score: score, choices: choices))
        continue
      }
      // On a plain one goes on as well: what is equal may lead further.
      guard score > hills[index].score || score == hills[index].score && tried?.hill == index
      else { continue }
      let isHigher = score > hills[index].score
      (hills[index].score, hills[index].choices) = (score, choices)
      if isHigher, let tried, tried.hill == index, var climb = tried.climb {
        climb.amount = climb.amount.multipliedReportingOverflow(by: 2).partialValue
        hills[index].climb = climb
      }
    }
    tried = nil
  }

  /// The choices of a case near the best of a label.
  mutating func propose() -> [UInt64] {
    let index = turn % hills.count
    turn += 1
    let hill = hills[index]
    var values = hill.choices.map(\.value)
    let open = hill.choices.indices.filter { hill.choices[$0].bound > 0 }
    guard !open.isEmpty else { return values }
    if let climb = hill.climb, climb.position < values.count {
      values[climb.position] = Self.moved(hill.choices[climb.position], by: climb)
      tried = (index, climb)
      return values
    }
    let position = open[Int(random.next(upTo: UInt64(open.count - 1)))]
    let choice = hill.choices[position]
    if random.next(upTo: 3) == 0 {
      values[position] = random.next(upTo: choice.bound)
      tried = (index, nil)
    } else {
      let bitCount = UInt64(UInt64.bitWidth - choice.bound.leadingZeroBitCount)
      let amount = UInt64(1) << random.next(upTo: bitCount - 1)
      let climb = Climb(position: position, amount: amount, isUp: random.next(upTo: 1) == 1)
      values[position] = Self.moved(choice, by: climb)
      tried = (index, climb)
    }
    return values
  }

  /// Forgets what was proposed: the case said nothing.
  mutating func passOver() {
    if let tried { hills[tried.hill].climb = nil }
    tried = nil
  }

  private static func moved(_ choice: Source.Choice, by climb: Climb) -> UInt64 {
    let amount = max(climb.amount, 1)
    if climb.isUp {
      return choice.bound - choice.value < amount ? choice.bound : choice.value + amount
    }
    return choice.value < amount ? 0 : choice.value - amount
  }
}
