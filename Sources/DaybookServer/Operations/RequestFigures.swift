import CoreMetrics
import Synchronization

/// Counts and times requests by route and status; each metric is looked up once.
final class RequestFigures: Sendable {
  private struct Outcome: Hashable {
    let route: String
    let status: Int
  }

  private struct Handlers {
    var counters: [Outcome: any CounterHandler] = [:]
    var timers: [String: any TimerHandler] = [:]
  }

  private let registry: FigureRegistry
  private let found = Mutex(Handlers())

  init(_ registry: FigureRegistry) { self.registry = registry }

  /// Records an answered request.
  func note(_ route: String, status: Int, nanoseconds: Int64) {
    let (counter, timer) = found.withLock { found in
      let outcome = Outcome(route: route, status: status)
      let counter =
        found.counters[outcome]
        ?? registry.makeCounter(
          label: "daybook_requests_total",
          dimensions: [("route", route), ("status", String(status))])
      let timer =
        found.timers[route]
        ?? registry.makeTimer(label: "daybook_request_seconds", dimensions: [("route", route)])
      found.counters[outcome] = counter
      found.timers[route] = timer
      return (counter, timer)
    }
    counter.increment(by: 1)
    timer.recordNanoseconds(nanoseconds)
  }
}
