public import Calendar

/// Passes on days with the marks of the base rule and the effects that the clauses give them.
@usableFromInline
package struct ClauseSink<Inner: DaySink>: DaySink {
  @usableFromInline package var inner: Inner
  @usableFromInline package var judge: ClauseJudge

  @inlinable package init(_ judge: ClauseJudge, into inner: consuming Inner) {
    self.inner = inner
    self.judge = judge
  }

  @inlinable package var needsValues: Bool { inner.needsValues }

  @inlinable package mutating func reserve(_ dayCount: Int) { inner.reserve(dayCount) }

  @inlinable package mutating func receive(_ day: JudgedDay) {
    var day = day
    day.effect = judge.effect(of: day)
    inner.receive(day)
    if judge.isTracing { inner.receive(judge.reasons, for: day.day) }
  }

  @inlinable package mutating func receive(_ day: JudgedDay, through last: Int) {
    if !judge.isTracing, let effect = judge.effect(of: day, through: last) {
      var day = day
      day.effect = effect
      return inner.receive(day, through: last)
    }
    var next = day
    for number in Int(day.day.number)...last {
      next.day = Day(unchecked: Int32(truncatingIfNeeded: number))
      receive(next)
    }
  }
}

/// Keeps the reasons that the clauses gave for each day.
package struct ReasonSink: DaySink {
  private(set) var reasons: [Day: [RuleReason]] = [:]

  package mutating func receive(_ day: JudgedDay) {}

  package mutating func receive(_ reasons: [RuleReason], for day: Day) {
    if !reasons.isEmpty { self.reasons[day] = reasons }
  }
}

extension StreakRule {
  /// Passes the days of a history, judged by clauses, to a sink, and returns the sink.
  @inlinable
  package func walk<Sink: DaySink>(
    _ history: HabitHistory, by definition: RuleDefinition, into sink: consuming Sink,
    tracing isTracing: Bool = false
  ) -> Sink {
    let history = definition.withoutRefused(history)
    let judge = ClauseJudge(definition, history, tracing: isTracing)
    let clauses = ClauseSink(judge, into: sink)
    switch definition.base {
    case .daybook: return DayMarker.walk(history, into: clauses).inner
    case .loop: return LoopMarker.walk(history, into: clauses).inner
    }
  }
}
