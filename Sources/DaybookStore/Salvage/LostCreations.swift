import Daybook

/// Counts how many entities were created in lost entries, as far as that can be proved.
///
/// An entity's number is how many of its kind were created before it. So after a loss, the numbers
/// of later entities are known only if the number of lost creations is. It has two bounds: no more
/// creations were lost than entries; and a number that a later entry refers to had been created by
/// then. Where the bounds meet, the number is known. Otherwise it is left open, because a guess
/// would give one habit's days to another.
struct LostCreations {
  /// The bounds for one stretch of entries between two losses.
  struct Stretch: Equatable {
    /// For each kind, at least this many creations were lost before the stretch.
    var least: [EntityKind: Int] = [:]
    /// At most this many creations of all kinds were lost before it; nil when there is no bound.
    var most: Int? = 0

    /// At most this many creations of a kind were lost before the stretch.
    func most(of kind: EntityKind) -> Int? {
      most.map { most in
        let others = least.reduce(0) { $0 + ($1.key == kind ? 0 : $1.value) }
        return max(0, most - others)
      }
    }

    /// The number of creations of a kind lost before the stretch, if it is known.
    func count(of kind: EntityKind) -> Int? {
      let least = least[kind, default: 0]
      return most(of: kind) == least ? least : nil
    }
  }

  /// The stretches in order; nothing is lost before the first.
  private(set) var stretches = [Stretch()]
  private var created: [EntityKind: Int] = [:]

  /// Notes a loss of at most this many entries.
  mutating func lose(_ most: Int?) {
    guard most != 0 else { return }
    var next = stretches[stretches.count - 1]
    next.most = next.most.flatMap { before in most.map { before + $0 } }
    stretches.append(next)
  }

  /// Notes an entry.
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

  /// The same bounds if the lost entries created nothing except what later entries refer to.
  var withoutMore: LostCreations {
    var known = self
    for index in known.stretches.indices {
      known.stretches[index].most = known.stretches[index].least.values.reduce(0, +)
    }
    return known
  }
}
