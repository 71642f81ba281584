import Avro
import Daybook
import DaybookStore
import Foundation

extension Bench {
  /// What each command costs in books of a thousand things of every kind, of ten thousand, and so on, and how many times
  /// as much it is in the largest as in the smallest.
  func growth() throws {
    var books: [GrowthBook] = []
    var sizes: [GrowthFigures.Size] = []
    var count = 1000
    while count <= limit {
      Output.note("Making a book in memory with \(count) things of each kind …")
      let before = Self.residentByteCount
      let book = try GrowthBook(of: count)
      let byteCount = max(0, Self.residentByteCount - before)
      sizes.append(.init(count: count, things: book.book.read(\.thingCount), byteCount: byteCount))
      books.append(book)
      count *= 10
    }
    let figures = GrowthFigures(sizes: sizes, costs: try GrowthBook.costs(of: books))
    if json {
      Output.line(figures.json.encoded)
    } else {
      figures.write()
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

/// What was measured.
private struct GrowthFigures {
  /// How large a book is.
  struct Size {
    /// How many things of each kind it has.
    var count: Int
    /// How many it has in all.
    var things: Int
    /// The memory that it takes, its journal included.
    var byteCount: Int
    var byteCountPerThing: Int { byteCount / max(things, 1) }
  }

  let sizes: [Size]
  let costs: [GrowthBook.Cost]

  /// How many times as much a command costs in the last book as in the first.
  private static func ratio(_ cost: GrowthBook.Cost) -> String {
    text((cost.nanoseconds.last ?? 1) / max(cost.nanoseconds.first ?? 1, 1))
  }

  private static func microseconds(_ cost: GrowthBook.Cost) -> [String] {
    cost.nanoseconds.map { text($0 / 1000) }
  }

  private static func text(_ value: Double) -> String {
    let tenths = Int((value * 10).rounded())
    return "\(tenths / 10).\(tenths % 10)"
  }

  func write() {
    var table = Table(
      [.text("command, µs", 9)] + sizes.map { .number("of \($0.count)", 5) }
        + [.number("ratio", 8)])
    for cost in costs {
      table.add([cost.command] + Self.microseconds(cost) + [Self.ratio(cost)])
    }
    table.add(["bytes a thing"] + sizes.map { String($0.byteCountPerThing) } + [""])
    table.write()
  }

  var json: JSON {
    [
      "bench": "growth", "sizes": .array(sizes.map { .number($0.count) }),
      "bytes_per_thing": .array(sizes.map { .number($0.byteCountPerThing) }),
      "commands": .array(
        costs.map { cost in
          [
            "command": .string(cost.command),
            "microseconds": .array(Self.microseconds(cost).map { .number($0) }),
            "ratio": .number(Self.ratio(cost)),
          ]
        }),
    ]
  }
}

extension BookState {
  /// How many entities there are of all kinds.
  fileprivate var thingCount: Int {
    EntityKind.allCases.reduce(0) { $0 + table(of: $1).count }
  }
}
