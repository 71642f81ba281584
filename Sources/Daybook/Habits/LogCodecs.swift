package import Calendar
package import Avro

/// The day of a log: `day` if it is given, else the user-local day of `p_at`, else that of the book's clock (HH-3).
package struct DayCodec: ColumnCodec {
  /// `day` and `p_at`.
  package var columns: [Column] {
    [
      Column("day", Day?.self, "the day; else that of `p_at`, else of the book's clock"),
      Column("p_at", Instant?.self, "the client's clock, for what was queued offline"),
    ]
  }
  /// Today, and a day.
  package var examples: (DayChoice, DayChoice) { (.today, .day(Day.examples.0)) }

  /// Reads the day.
  ///
  /// - Throws: a rejection that names the column.
  package func read(_ reader: inout RequestReader) throws -> DayChoice? { try reader.dayChoice() }

  /// One of the columns, or none for today.
  package func members(of value: DayChoice, in state: BookState) -> [JSON.Member] {
    switch value {
    case .today: []
    case .day(let day): [.init("day", day.json(state))]
    case .dayOf(let instant): [.init("p_at", instant.json(state))]
    }
  }
}

/// A value to log. A value below 0 counts as 0 where values are clamped (HH-8, R2).
package struct LoggedAmountCodec: ColumnCodec {
  private let name: String
  private let isClamped: @Sendable (BookState) -> Bool

  init(_ name: String, isClamped: @escaping @Sendable (BookState) -> Bool = { _ in true }) {
    self.name = name
    self.isClamped = isClamped
  }

  /// The column.
  package var columns: [Column] {
    var column = Column(name, Amount.self, usual: 1, "what was done; clamped to 1 … target")
    column.schema = [
      "type": ["number", "null"], "maximum": 1_000_000_000, "multipleOf": .number("0.001"),
    ]
    return [column]
  }
  /// One and two.
  package var examples: (Amount, Amount) { Amount.examples }

  /// Reads the value.
  ///
  /// - Throws: a rejection that names the column.
  package func read(_ reader: inout RequestReader) throws -> Amount? {
    let isClamped = isClamped(reader.state)
    return try reader.optional(name, Amount.words) { json in
      if isClamped, case .number(let text) = json, text.hasPrefix("-") {
        return Amount(text.dropFirst()).map { _ in Amount.zero }
      }
      return json.amount
    }
  }

  /// The value.
  package func members(of value: Amount, in state: BookState) -> [JSON.Member] {
    [.init(name, value.json(state))]
  }
}
