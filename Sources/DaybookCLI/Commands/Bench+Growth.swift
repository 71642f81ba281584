import Avro
import Daybook
import DaybookSamples
import DaybookStore
import Foundation

extension Bench {
  /// Measures the cost of each command in books with a thousand entities of every kind, ten thousand, and so
  /// on, and the ratio between the largest and the smallest book.
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
      figures.print()
    }
  }

  /// The resident memory of the process, where the system reports it.
  private static var residentByteCount: Int {
    // A kernel file that does not report its length.
    let text = FileManager.default.contents(atPath: "/proc/self/statm") ?? Data()
    let pages = String(decoding: text, as: UTF8.self).split(separator: " ")
    return (pages.count > 1 ? Int(pages[1]) ?? 0 : 0) * 4096
  }
}

/// The measurements.
private struct GrowthFigures {
  /// The size of a book.
  struct Size {
    /// The number of entities of each kind.
    var count: Int
    /// The number of entities in all.
    var things: Int
    /// The memory used, including the journal.
    var byteCount: Int
    var byteCountPerThing: Int { byteCount / max(things, 1) }
  }

  let sizes: [Size]
  let costs: [GrowthBook.Cost]

  /// The ratio of a command's cost in the last book to that in the first.
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

  func print() {
    var table = TextTable(
      [.text("command, µs", 9)] + sizes.map { .number("of \($0.count)", 5) }
        + [.number("ratio", 8)])
    for cost in costs {
      table.add([cost.command] + Self.microseconds(cost) + [Self.ratio(cost)])
    }
    table.add(["bytes a thing"] + sizes.map { String($0.byteCountPerThing) } + [""])
    table.print()
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
  /// The number of entities of all kinds.
  fileprivate var thingCount: Int {
    EntityKind.allCases.reduce(0) { $0 + table(of: $1).count }
  }
}
