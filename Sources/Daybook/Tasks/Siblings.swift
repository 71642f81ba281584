/// The tasks of a list in their order, as the plan has left them so far, without the task that is being placed.
struct Siblings {
  let start: Sibling
  let end: Sibling
  private let index: TaskIndex
  /// The tasks of the list that the plan has changed, whose places the index does not know, ascending.
  private let changed: [Sibling]
  /// The tasks whose place in the index is out of date.
  private let leftOut: Set<TaskItem.ID>

  init(_ plan: TaskPlan, _ list: TaskPlan.List, leavingOut moved: TaskItem.ID?) {
    start = Sibling(list, of: plan.actor)
    end = .end(of: list, of: plan.actor)
    index = plan.state.indexes.tasks
    changed = plan.changed.filter { $0.number != moved && list.holds($0.item) }
      .map { Sibling($0.item, $0.number) }.sorted()
    leftOut = plan.changedNumbers.union(moved.map { [$0] } ?? [])
  }

  /// The last task before a position in the list.
  func last(before place: Sibling) -> Sibling? {
    var found = changed.last { $0 < place }
    index.visit(before: place) { sibling in
      guard !leftOut.contains(sibling.number) else { return true }
      found = max(found ?? sibling, sibling)
      return false
    }
    return found
  }

  /// The tasks from a position on that have a given rank, and the first task of another rank.
  func behind(_ place: Sibling, tiedTo rank: Rank?) -> (tied: [Sibling], next: Sibling?) {
    var found: [Sibling] = []
    index.visit(from: place) { sibling in
      if !leftOut.contains(sibling.number) { found.append(sibling) }
      return found.last?.rank == rank?.text || found.isEmpty
    }
    if !changed.isEmpty { found = (found + changed.filter { !($0 < place) }).sorted() }
    let tied = found.prefix { $0.rank == rank?.text }
    return (Array(tied), found.dropFirst(tied.count).first)
  }

  /// All of them.
  var all: [Sibling] {
    var all: [Sibling] = []
    index.visit(from: start) { sibling in
      if !leftOut.contains(sibling.number) { all.append(sibling) }
      return true
    }
    return changed.isEmpty ? all : (all + changed).sorted()
  }
}
