/// Searches for cases with a high score: it climbs from the best known case of each label, one choice at a
/// time.
///
/// The method is the hill climbing of Löscher and Sagonas, "Targeted property-based testing" (ISSTA 2017),
/// applied to choices. A step that raised the score is repeated with twice the distance; otherwise another
/// choice is tried. The proposals depend only on earlier cases and on the seed.
struct Guide {
  /// The best known case of a label.
  private struct Hill {
    let label: String
    var score: Double
    var choices: [Source.Choice]
    /// The last step that raised the score: the choice, the distance and the direction.
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

  /// Whether there are no scores to raise.
  var isEmpty: Bool { hills.isEmpty }

  /// Records the scores of a case that passed.
  mutating func note(_ scores: [(label: String, score: Double)], _ choices: [Source.Choice]) {
    if let tried { hills[tried.hill].climb = nil }
    for (label, score) in scores where !score.isNaN {
      guard let index = hills.firstIndex(where: { $0.label == label }) else {
        hills.append(Hill(label: label, score: score, choices: choices))
        continue
      }
      // Equal scores are accepted as well, because a plateau may lead further up.
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

  /// Proposes the choices of a case near the best one of a label.
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

  /// Forgets the last proposal, because its case was discarded.
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
