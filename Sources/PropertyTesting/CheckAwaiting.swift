internal import Dispatch

/// Checks that a property holds for random values whose body waits.
///
/// As ``check(_:_:cases:seed:examples:shrinkLimit:deadline:_:)``, but the body may be asynchronous. It runs in the task and the
/// isolation of the caller, one case after the other.
///
/// - Parameters:
///   - name: What holds, as a sentence.
///   - generator: The values.
///   - cases: How many; the environment variable `PROPERTY_CASES` sets or multiplies it.
///   - seed: Makes the run, and its first case, a given one.
///   - examples: Values that are tried before the random ones.
///   - shrinkLimit: How many simpler values are tried at most.
///   - deadline: How long the body may take for one value, with its waiting.
///   - body: The property. Once the task is cancelled, it is not called again.
/// - Returns: The report; to ask it whether the run passed is the caller's duty.
public func checkAwaiting<Value, Outcome>(
  _ name: String, _ generator: Generator<Value>, cases: Int = 100, seed: UInt64? = nil,
  examples: [Value] = [], shrinkLimit: Int = 10_000, deadline: Duration? = nil,
  _ body: (Value) async throws -> Outcome
) async -> Report<Value> {
  let exchange = Exchange<Value, Outcome> { body in
    check(
      name, generator, cases: cases, seed: seed, examples: examples, shrinkLimit: shrinkLimit,
      deadline: deadline, body)
  }
  while true {
    switch await exchange.next() {
    case .call(let value):
      do {
        if Task.isCancelled { throw Discard("the task was cancelled") }
        exchange.answer = .success(try await body(value))
      } catch {
        exchange.answer = .failure(error)
      }
    case .finished(let report):
      return report
    }
  }
}

/// A run on a thread of its own whose body runs in a task: while one of them works the other waits.
///
/// Shrinking is written as calls of the body, one after the other. On a thread of its own it may block for an answer,
/// which no task may do.
///
/// - Note: Its state is not guarded, and need not be: the task touches it only between `next` and the next `next`, the
///   thread only between a signal of the semaphore and the resumption of the continuation. Both order memory.
private final class Exchange<Value, Outcome>: @unchecked Sendable {
  enum Step {
    case call(Value)
    case finished(Report<Value>)
  }

  /// What the body gave for the value of the last step.
  var answer: Result<Outcome, any Error>?

  private let run: ((Value) throws -> Outcome) -> Report<Value>
  private let answered = DispatchSemaphore(value: 0)
  private var step: Step?
  private var waiting: UnsafeContinuation<Void, Never>?
  private var isStarted = false

  init(_ run: @escaping ((Value) throws -> Outcome) -> Report<Value>) {
    self.run = run
  }

  /// Gives the answer to the last step, and waits for the next.
  func next() async -> Step {
    while true {
      await withUnsafeContinuation { continuation in
        waiting = continuation
        if isStarted {
          answered.signal()
        } else {
          isStarted = true
          // A serial queue of one's own has a thread, however many of the others block.
          DispatchQueue(label: "PropertyTesting").async { self.work() }
        }
      }
      if let step { return step }
    }
  }

  private func work() {
    let report = run { value in
      self.resume(with: .call(value))
      self.answered.wait()
      guard let answer = self.answer else { throw Discard("the body gave no answer") }
      return try answer.get()
    }
    resume(with: .finished(report))
  }

  private func resume(with step: Step) {
    self.step = step
    waiting?.resume()
  }
}
