import ArgumentParser
import Daybook
import DaybookStore

extension Groceries {
  /// The option that selects a line of a list.
  ///
  /// It is used next to the household option and contains no option group itself: in debug builds
  /// ArgumentParser checks nested groups many times over.
  struct LineOptions: ParsableArguments {
    @Argument(
      help: """
        The line: its text as shown, a prefix of that text or of its name, the number shown \
        before it, or its key.
        """)
    var item: String
    @Option(help: "Any day of the list's week (default: the list made last).")
    var week: String?

    func run<C: RequestBody>(
      with change: HouseholdChangeOptions, ofThose isMeant: (GroceryItem) -> Bool = { _ in true },
      _ command: (GroceryItemID) -> C, words: (C.Answer, BookState) -> String
    ) throws {
      try change.run {
        command(try find(at: $0, isMeant))
      } words: {
        words($0, $1)
      }
    }

    private func find(
      at context: HouseholdCommandContext, _ isMeant: (GroceryItem) -> Bool
    ) throws -> GroceryItemID {
      let list = context.state.groceryList(
        of: context.household, week: try week.map { try context.day($0) }, for: context.account)
      let lines = list?.list.ordered.map(\.item) ?? []
      if let key = Key(item), let list, list.list.item(key) != nil {
        return GroceryItemID(list.number, key)
      }
      // Any one of the lines that are displayed alike will do.
      var seen: Set<String> = []
      let numbers = list?.list.numbers ?? [:]
      let found = try EntityFinder(
        noun: "line",
        whenEmpty: "The list is empty; `daybook groceries add \"2 l milk\"` adds a line."
      ).find(
        item,
        among: (lines.filter(isMeant) + lines.filter { !isMeant($0) })
          .filter { seen.insert($0.shown).inserted }.map(NamedLine.init),
        likely: { isMeant($0.item) },
        number: { numbers[$0.key] },
        names: { [$0.item.shown, $0.item.content.called, $0.item.content.name] })
      guard let list else { throw Rejection.groceryItemNotFound }
      return GroceryItemID(list.number, found.key)
    }
  }
}

extension GroceryList {
  /// The numbers of the lines, from 1, which stay until the list is generated again. A number that begins the
  /// text of some line ("2 eggs") is not used, because it would denote that line.
  fileprivate var numbers: [Key: Int32] {
    let beginnings = Set(
      ordered.compactMap { line in
        let digits = line.item.shown.prefix(while: \.isNumber)
        return digits.isEmpty ? nil : String(digits)
      })
    let free = zip(items.map(\.key), (1 as Int32)...).filter { _, number in
      !beginnings.contains { $0.hasPrefix(String(number)) }
    }
    return Dictionary(free) { first, _ in first }
  }
}

/// A line of a list with all its names.
private struct NamedLine: Entity {
  static var entityName: StaticString { "line-number" }
  let item: GroceryItem
  var key: Key { item.key }
  var displayName: String { item.shown }
  var ownedBy: Account.ID? { nil }
  var isDeleted: Bool { false }
}
