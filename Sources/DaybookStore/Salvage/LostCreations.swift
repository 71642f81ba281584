import Daybook

/// How many entities were created in what is lost: as far as it can be proven.
///
/// An entity's number is how many of its kind were created before it. So after a loss the numbers of those
/// created later are known only if it is known how many creations were lost. Two things bound that: no more
/// than there were entries lost; and a number that is named later was created before. Where the bounds meet,
/// it is known. All else is left open: a guess would give one habit's days to another.
struct LostCreations {
  /// What is known of one stretch of entries, between two losses.
  struct Stretch: Equatable {
    /// For each kind at least so many were lost before the stretch.
    var least: [EntityKind: Int] = [:]
    /// No more than so many entities of all kinds were lost before it; nobody can know without it.
    var most: Int? = 0

    /// At most so many of a kind were lost before the stretch.
    func most(of kind: EntityKind) -> Int? {
      most.map { most in
        let others = least.reduce(0) { $0 + ($1.key == kind ? 0 : $1.value) }
        return max(0, most - others)
      }
    }

    /// So many of a kind were lost before the stretch, if that is known.
    func count(of kind: EntityKind) -> Int? {
      let least = least[kind, default: 0]
      return most(of: kind) == least ? least : nil
    }
  }

  /// The stretches, in order; nothing is lost before the first.
  private(set) var stretches = [Stretch()]
  private var created: [EntityKind: Int] = [:]

  /// Takes note of a loss of so many entries at most.
  mutating func lose(_ most: Int?) {
    guard most != 0 else { return }
    var next = stretches[stretches.count - 1]
    next.most = next.most.flatMap { before in most.map { before + $0 } }
    stretches.append(next)
  }

  /// Takes note of an entry.
  mutating func note(_ entry: Entry) {
    let last = stretches.count - 1
    if last > 0 {
      for reference in entry.references {
        let missing = reference.number - created[reference.kind, default: 0]
        guard missing > stretches[last].least[reference.kind, default: 0] else { continue }
        stretches[last].least[reference.kind] = missing
      }
    }
    if let (kind, _) = EntityKind.created(by: entry.event) { created[kind, default: 0] += 1 }
  }

  /// The same when somebody knows that nothing was created in what is lost but what later entries name.
  var withoutMore: LostCreations {
    var known = self
    for index in known.stretches.indices {
      known.stretches[index].most = known.stretches[index].least.values.reduce(0, +)
    }
    return known
  }
}
