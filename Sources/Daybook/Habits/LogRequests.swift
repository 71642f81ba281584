public import Avro

extension LogHabit: RequestBody {
  /// `habit`, `value` (1), `day` or `p_at`, `source` (manual), `note`.
  public init(_ reader: inout RequestReader) throws {
    let habit = try reader.habit()
    let bound = reader.state.habits[habit]?.version.target.bound
    let value = try reader.optional("value", Amount.words) { json in
      // Below an at-least habit's range is clamped into it, as zero is (HH-8).
      if case .number(let text) = json, text.hasPrefix("-"), bound == .atLeast {
        return Amount(text.dropFirst()).map { _ in Amount.zero }
      }
      return json.amount
    }
    self.init(
      habit, value: value ?? .one, day: try reader.dayChoice(), source: try reader.source(),
      note: try reader.optionalText("note"))
  }

  /// The day's row.
  public func row(of answer: Day, in state: State) -> JSON {
    JSON(written: { write(answer, in: state, to: &$0) })
  }

  /// Writes the day's row.
  public func write(_ answer: Day, in state: State, to json: inout JSONWriter) {
    state.writeLogRow(habit, answer, to: &json)
  }

  /// The habit.
  public func aggregate(of answer: Day) -> Aggregate? { .habit(habit) }
}

extension ClearLog: RequestBody {
  /// `habit`, `day` or `p_at`, `source` (manual).
  public init(_ reader: inout RequestReader) throws {
    let habit = try reader.habit()
    self.init(habit, day: try reader.dayChoice(), source: try reader.source())
  }

  /// The day's row.
  public func row(of answer: Day, in state: State) -> JSON {
    JSON(written: { write(answer, in: state, to: &$0) })
  }

  /// Writes the day's row.
  public func write(_ answer: Day, in state: State, to json: inout JSONWriter) {
    state.writeLogRow(habit, answer, to: &json)
  }

  /// The habit.
  public func aggregate(of answer: Day) -> Aggregate? { .habit(habit) }
}

extension SkipDay: RequestBody {
  /// `habit`, `day` or `p_at`, `source` (manual), `note`.
  public init(_ reader: inout RequestReader) throws {
    let habit = try reader.habit()
    self.init(
      habit, day: try reader.dayChoice(), source: try reader.source(),
      note: try reader.optionalText("note"))
  }

  /// The day's row.
  public func row(of answer: Day, in state: State) -> JSON {
    JSON(written: { write(answer, in: state, to: &$0) })
  }

  /// Writes the day's row.
  public func write(_ answer: Day, in state: State, to json: inout JSONWriter) {
    state.writeLogRow(habit, answer, to: &json)
  }

  /// The habit.
  public func aggregate(of answer: Day) -> Aggregate? { .habit(habit) }
}

extension State {
  fileprivate func writeLogRow(_ number: Habit.ID, _ day: Day, to json: inout JSONWriter) {
    guard let place = habits.place(of: number) else { return json.null() }
    if let record = habits.elements[place].days[day] {
      write(record, of: habits.elements[place], to: &json)
    } else {
      json.value(emptyLogRow(habits.elements[place], day))
    }
  }
}
