import Avro
import Daybook
import DaybookStore
import Foundation

extension Bench {
  /// What each command costs in books of a thousand things of every kind, of ten thousand, and so on, and how many times
  /// as much it is in the largest as in the smallest.
  func growth() throws {
    var books: [GrowthFigures] = []
    var count = 1000
    while count <= limit {
      Output.note("Making a book in memory with \(count) things of each kind …")
      let before = Self.residentByteCount
      let book = try GrowthBook(of: count)
      let state = book.book.read { $0 }
      let byteCount = Self.residentByteCount - before
      books.append(
        GrowthFigures(
          count: count, things: state.thingCount, byteCount: max(0, byteCount),
          costs: try book.costs()))
      count *= 10
    }
    if json {
      Output.line(GrowthFigures.json(books).encoded)
    } else {
      GrowthFigures.write(books)
    }
  }

  /// The memory that the process holds now, where the system says so.
  private static var residentByteCount: Int {
    // A file of the kernel's that says no length of itself.
    let text = FileManager.default.contents(atPath: "/proc/self/statm") ?? Data()
    let pages = String(decoding: text, as: UTF8.self).split(separator: " ")
    return (pages.count > 1 ? Int(pages[1]) ?? 0 : 0) * 4096
  }
}

/// What was measured on one book.
private struct GrowthFigures {
  var count: Int
  /// How many things there are in all.
  var things: Int
  /// The memory that the book takes, its journal included.
  var byteCount: Int
  var costs: [GrowthBook.Cost]

  /// How many times as much a command costs in the last book as in the first.
  private static func ratio(_ books: [GrowthFigures], _ index: Int) -> Double {
    guard let first = books.first, let last = books.last else { return 1 }
    return last.costs[index].nanoseconds / max(first.costs[index].nanoseconds, 1)
  }

  private static func text(_ value: Double) -> String {
    let tenths = Int((value * 10).rounded())
    return "\(tenths / 10).\(tenths % 10)"
  }

  static func write(_ books: [GrowthFigures]) {
    var table = Table(
      header: ["command, µs"] + books.map { "of \($0.count)" } + ["ratio"],
      rightAligned: Set(1...books.count + 1))
    for (index, cost) in (books.first?.costs ?? []).enumerated() {
      let times = books.map { text($0.costs[index].nanoseconds / 1000) }
      table.add([cost.command] + times + [text(ratio(books, index))])
    }
    table.add(
      ["bytes a thing"] + books.map { String($0.byteCount / max($0.things, 1)) } + [""])
    table.write()
  }

  static func json(_ books: [GrowthFigures]) -> JSON {
    let commands = (books.first?.costs ?? []).enumerated().map { index, cost -> JSON in
      [
        "command": .string(cost.command),
        "microseconds": .array(
          books.map { .number(text($0.costs[index].nanoseconds / 1000)) }),
        "ratio": .number(text(ratio(books, index))),
      ]
    }
    return [
      "bench": "growth", "sizes": .array(books.map { .number($0.count) }),
      "bytes_per_thing": .array(books.map { .number($0.byteCount / max($0.things, 1)) }),
      "commands": .array(commands),
    ]
  }
}

extension State {
  /// How many entities there are of all kinds.
  fileprivate var thingCount: Int {
    EntityKind.allCases.reduce(0) { $0 + table(of: $1).count }
  }
}
