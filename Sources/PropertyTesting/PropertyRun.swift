/// One run of a property: cases are generated, judged, counted and, once one fails, shrunk.
struct PropertyRun<Value> {
  /// The outcome of one case.
  enum Outcome {
    case passed
    case discarded(String)
    case failed(Value, any Error)
    case generatorFailed(any Error)
  }

  let name: String
  let generator: Generator<Value>
  let shrinkLimit: Int
  let body: (Value, inout Statistics) throws -> Void

  private var source = Source(seed: CaseSeed(bits: 0))
  private var statistics = Statistics()
  private var seed: UInt64?
  private var discarded = 0
  private var reasons: [String: Int] = [:]
  private var guide = Guide(seed: 0)
  /// The folder that stores failures, if any.
  private var memory: FailureFolder?
  /// An additional remark for the report.
  private var remark: String?

  init(
    name: String, generator: Generator<Value>, shrinkLimit: Int,
    body: @escaping (Value, inout Statistics) throws -> Void
  ) {
    self.name = name
    self.generator = generator
    self.shrinkLimit = shrinkLimit
    self.body = body
  }

  /// Runs given values; returns the report of the first that fails, or `nil` if none does.
  mutating func examples(_ values: [Value]) -> Report<Value>? {
    defer { statistics.rollBack() }
    for (index, value) in values.enumerated() {
      if case .failed(_, let error) = runBody(value) {
        let example = CounterExample(
          minimal: value, error: error, original: value, originalError: error,
          caseNumber: index + 1, seed: nil, shrinks: 0, isReproducible: true, isCutShort: false,
          origin: .example)
        return report(.falsified(example))
      }
      statistics.rollBack()
    }
    return nil
  }

  /// Runs the cases stored in a folder; returns the report of the first that still fails, or `nil` if none
  /// does.
  ///
  /// From then on, failures are stored there, and cases that no longer fail are removed.
  mutating func remembered(in folder: String) -> Report<Value>? {
    let memory = FailureFolder(folder, name, Value.self)
    self.memory = memory
    let cases = memory.cases
    defer { statistics.rollBack() }
    for choices in cases {
      source.restart(replaying: choices)
      if case .failed(let value, let error) = runCase() {
        return report(.falsified(shrink(value, error, seed: nil, origin: .remembered)))
      }
      statistics.rollBack()
    }
    if !cases.isEmpty { keep([]) }
    return nil
  }

  private mutating func keep(_ cases: [[UInt64]]) {
    guard let memory, !memory.keep(cases) else { return }
    remark = "the folder of PROPERTY_FAILURES cannot be written"
  }

  /// Runs random cases until one fails, enough have passed, or too many were discarded.
  mutating func random(cases: Int, seed: UInt64?, environment: Environment) -> Report<Value> {
    let usualCases = cases
    let cases = environment.cases(for: usualCases)
    guard cases > 0 else { return report(.misconfigured("it was asked for \(cases) cases")) }
    let runSeed =
      seed ?? environment.seed
      ?? CaseSeed(random: UInt64.random(in: .min ... .max), size: 0).bits
    self.seed = runSeed
    guide = Guide(seed: runSeed)
    var isGuided = false
    var seeds = SplitMix64(seed: runSeed)
    var caseSeed = CaseSeed(bits: runSeed)
    let limit = cases.multipliedReportingOverflow(by: 10)
    let maximumCaseCount = limit.overflow ? cases : limit.partialValue
    // A few extra cases may miss a rare class by chance. The search therefore covers at least a thousand
    // cases, and does not become shorter when the environment reduces the number of cases.
    let usualLimit = usualCases.multipliedReportingOverflow(by: 10)
    let mostCovering = max(
      maximumCaseCount, usualLimit.overflow ? 0 : usualLimit.partialValue, 1000)
    while statistics.cases < cases
      || (statistics.cases < mostCovering && !statistics.isCovered)
    {
      // Every second case is guided, once there is a score and the cases have reached full size.
      isGuided =
        !isGuided && !guide.isEmpty && caseSeed.size == CaseSeed.largestSize
        && statistics.cases > 0
      if environment.isTracing {
        let seed = CaseSeed.text(isGuided ? runSeed : caseSeed.bits)
        TrapReporter.begin("“\(name)”, case of seed \(seed)")
      }
      defer { if environment.isTracing { TrapReporter.end() } }
      if isGuided {
        source.restart(replaying: guide.propose())
        if let verdict = judge(seed: runSeed, isGuided: true) { return report(verdict) }
        continue
      }
      source.restart(seed: caseSeed)
      if let verdict = judge(seed: caseSeed.bits) { return report(verdict) }
      if discarded > max(maximumCaseCount, 100) { return report(.gaveUp(reason: commonestReason)) }
      caseSeed = CaseSeed(random: seeds.next(), size: size(after: statistics.cases, of: cases))
    }
    let shortfalls = statistics.shortfalls
    return report(shortfalls.isEmpty ? .passed : .notCovered(shortfalls))
  }

  /// Sizes grow through the first half of a run and stay at the largest through the second. In a long run
  /// they grow through the first fifty cases, so that a fault that needs a large case is not found later the
  /// more cases are requested.
  private func size(after done: Int, of cases: Int) -> UInt64 {
    let growing = min(max(1, cases / 2), 50)
    return done >= growing
      ? CaseSeed.largestSize : UInt64(done) * CaseSeed.largestSize / UInt64(growing)
  }

  /// Runs every possible case by incrementing the last choice that can be incremented.
  mutating func exhaustive(limit: Int) -> Report<Value> {
    var values: [UInt64] = []
    while true {
      source.restart(replaying: values, mode: .enumerating)
      if let verdict = judge(seed: nil) { return report(verdict) }
      guard let last = source.choices.lastIndex(where: { $0.value < $0.bound }) else {
        return report(.passed)
      }
      guard statistics.cases + discarded < limit else {
        return report(.notExhausted(limit: limit))
      }
      values = source.choices[...last].map(\.value)
      values[last] += 1
    }
  }

  /// Runs the current case of the source; a non-nil verdict ends the run.
  private mutating func judge(seed: UInt64?, isGuided: Bool = false) -> Report<Value>.Verdict? {
    let repeats = source.mode == .random ? seed.map { CaseSeed(bits: $0) } : nil
    switch runCase(repeatingIn: repeats) {
    case .passed:
      guide.note(statistics.scores, source.choices)
      statistics.commit()
    case .discarded(let reason):
      statistics.rollBack()
      guide.passOver()
      // A guided case does not show how good the generator is.
      guard !isGuided else { break }
      discarded += 1
      reasons[reason, default: 0] += 1
    case .generatorFailed(let error):
      return .generatorFailed(error, seed: seed)
    case .failed(let value, let error):
      return .falsified(shrink(value, error, seed: seed, origin: isGuided ? .guided : .chance))
    }
    return nil
  }

  /// Runs the current case of the source.
  ///
  /// - Parameter seed: The seed of a random case, which may require a repeated value.
  /// - Returns: The outcome.
  private mutating func runCase(repeatingIn seed: CaseSeed? = nil) -> Outcome {
    do {
      let value = try source.draw(generator)
      guard let seed, RecordedChoices.repeats(in: seed) else { return runBody(value) }
      return runBody(try withDuplicate(value, of: seed))
    } catch let discard as Discard {
      return .discarded(discard.reason)
    } catch {
      return .generatorFailed(error)
    }
  }

  /// The value with a part made equal to an earlier part; unchanged if that is impossible.
  private mutating func withDuplicate(_ value: Value, of seed: CaseSeed) throws -> Value {
    let choices = source.choices.map(\.value)
    guard (2...RecordedChoices.longestDuplicated).contains(choices.count) else { return value }
    // Replayed, because the spans of a value are known only from a replay.
    source.restart(replaying: choices)
    let again = try source.draw(generator)
    var random = SplitMix64(seed: seed.bits)
    guard let copy = RecordedChoices(source).withDuplicate(&random) else { return again }
    source.restart(replaying: copy)
    do { return try source.draw(generator) } catch is Discard {
      source.restart(replaying: choices)
      return try source.draw(generator)
    }
  }

  private mutating func runBody(_ value: Value) -> Outcome {
    do {
      try body(value, &statistics)
      return .passed
    } catch let discard as Discard {
      return .discarded(discard.reason)
    } catch {
      return .failed(value, error)
    }
  }

  /// Shrinks the case just recorded by the source.
  private mutating func shrink(
    _ value: Value, _ error: any Error, seed: UInt64?, origin: CounterExample<Value>.Origin
  ) -> CounterExample<Value> {
    statistics.rollBack()
    let passed = statistics
    defer { statistics = passed }
    let kind = FailureKind(error)
    var (minimal, minimalError) = (value, error)

    // The body runs only if the record is simpler than the best one.
    func attempt(_ values: [UInt64], below best: RecordedChoices?) -> RecordedChoices? {
      source.restart(replaying: values, limit: best?.values.count ?? Source.choiceLimit)
      guard let candidate = try? source.draw(generator) else { return nil }
      if let best, !source.isSimpler(than: best) { return nil }
      guard case .failed(_, let error) = runBody(candidate), kind.isShared(by: error) else {
        return nil
      }
      (minimal, minimalError) = (candidate, error)
      return RecordedChoices(source)
    }

    let original = source.choices.map(\.value)
    let first = attempt(original, below: nil)
    var shrinks = 0
    var isCutShort = false
    if let first {
      var shrinker = Shrinker(best: first, limit: shrinkLimit)
      shrinker.run { values, best in attempt(values, below: best) }
      shrinks = shrinker.shrinks
      isCutShort = shrinker.isCutShort
      let best = shrinker.best.values
      keep(best == original ? [best] : [best, original])
    }
    return CounterExample(
      minimal: minimal, error: minimalError, original: value, originalError: error,
      caseNumber: origin == .remembered ? 0 : passed.cases + discarded + 1, seed: seed,
      shrinks: shrinks, isReproducible: first != nil, isCutShort: isCutShort, origin: origin)
  }

  func report(_ verdict: Report<Value>.Verdict) -> Report<Value> {
    Report(
      name: name, verdict: verdict, seed: seed, cases: statistics.cases, discarded: discarded,
      statistics: statistics, remark: remark)
  }

  private var commonestReason: String {
    let most = reasons.max { ($0.value, $1.key) < ($1.value, $0.key) }
    return most?.key ?? "no reason given"
  }
}

/// The properties that two failures must share for one to stand for the other.
private struct FailureKind {
  private let type: ObjectIdentifier
  private let place: String
  private let sentence: String?

  init(_ error: any Error) {
    type = ObjectIdentifier(Swift.type(of: error))
    place = Self.place(of: error)
    sentence = (error as? FalseSentences)?.sentences.first
  }

  /// Whether another failure is of this kind. It may violate more sentences, as long as it violates the first
  /// of these.
  func isShared(by error: any Error) -> Bool {
    guard ObjectIdentifier(Swift.type(of: error)) == type, Self.place(of: error) == place else {
      return false
    }
    return sentence.map { (error as? FalseSentences)?.sentences.contains($0) == true } ?? true
  }

  private static func place(of error: any Error) -> String {
    (error as? Falsified).map { "\($0.fileID):\($0.line)" } ?? ""
  }
}
