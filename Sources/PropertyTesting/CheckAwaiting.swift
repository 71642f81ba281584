internal import Dispatch

/// Checks that a property with an asynchronous body holds for random values.
///
/// This is ``check(_:_:cases:seed:examples:shrinkLimit:deadline:_:)`` for an asynchronous body. The body runs
/// in the task and the isolation of the caller, one case after the other.
///
/// - Parameters:
///   - name: The property, as a sentence.
///   - generator: The generator of the values.
///   - cases: The number of cases; the environment variable `PROPERTY_CASES` sets or multiplies it.
///   - seed: Fixes the run and its first case.
///   - examples: Values to try before the random ones.
///   - shrinkLimit: The largest number of simpler values to try.
///   - deadline: The time limit of the body for one value, including waits.
///   - body: The property. It is not called again after the task is cancelled.
/// - Returns: The report; the caller must check whether the run passed.
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

/// A run on its own thread whose body runs in a task; the two take turns working and waiting.
///
/// Shrinking is written as successive calls of the body. On its own thread it may block for an answer, which
/// a task must not do.
///
/// - Note: The state needs no lock. The task touches it only between two calls of `next`, the thread only
///   between a signal of the semaphore and the resumption of the continuation, and both of these order
///   memory.
private final class Exchange<Value, Outcome>: @unchecked Sendable {
  enum Step {
    case call(Value)
    case finished(Report<Value>)
  }

  /// The result of the body for the value of the last step.
  var answer: Result<Outcome, any Error>?

  private let run: ((Value) throws -> Outcome) -> Report<Value>
  private let answered = DispatchSemaphore(value: 0)
  private var step: Step?
  private var waiting: UnsafeContinuation<Void, Never>?
  private var isStarted = false

  init(_ run: @escaping ((Value) throws -> Outcome) -> Report<Value>) {
    self.run = run
  }

  /// Delivers the answer to the last step, and waits for the next one.
  func next() async -> Step {
    while true {
      await withUnsafeContinuation { continuation in
        waiting = continuation
        if isStarted {
          answered.signal()
        } else {
          isStarted = true
          // A separate serial queue gets a thread even if many others are blocked.
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
