import CoreMetrics
import Synchronization

/// Keeps metrics and writes them in the text format of Prometheus.
final class FigureRegistry: MetricsFactory {
  private struct Name: Hashable {
    let label: String
    /// The dimensions as the format writes them: `route="rest/habits",status="200"`.
    let dimensions: String
  }

  private struct Families {
    var counters: [Name: Counting] = [:]
    var gauges: [Name: Gauge] = [:]
    var timings: [Name: Timing] = [:]
  }

  private let families = Mutex(Families())

  func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
    let name = Self.name(label, dimensions)
    return families.withLock { families in
      if let found = families.counters[name] { return found }
      let counter = Counting()
      families.counters[name] = counter
      return counter
    }
  }

  func makeRecorder(
    label: String, dimensions: [(String, String)], aggregate: Bool
  ) -> any RecorderHandler {
    let name = Self.name(label, dimensions)
    return families.withLock { families in
      if let found = families.gauges[name] { return found }
      let gauge = Gauge()
      families.gauges[name] = gauge
      return gauge
    }
  }

  func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
    let name = Self.name(label, dimensions)
    return families.withLock { families in
      if let found = families.timings[name] { return found }
      let timing = Timing()
      families.timings[name] = timing
      return timing
    }
  }

  func destroyCounter(_ handler: any CounterHandler) {}
  func destroyRecorder(_ handler: any RecorderHandler) {}
  func destroyTimer(_ handler: any TimerHandler) {}

  /// All metrics, ordered by name.
  var text: String {
    let families = families.withLock { $0 }
    var text = ""
    Self.write(families.counters, "counter", to: &text) { name, counter, text in
      text += "\(name.label)\(Self.braced(name.dimensions)) \(counter.value)\n"
    }
    Self.write(families.gauges, "gauge", to: &text) { name, gauge, text in
      text += "\(name.label)\(Self.braced(name.dimensions)) \(gauge.value)\n"
    }
    Self.write(families.timings, "summary", to: &text) { name, timing, text in
      let summary = timing.summary
      for (quantile, value) in [("0.5", summary.median), ("0.99", summary.late)] {
        let dimensions =
          (name.dimensions.isEmpty ? "" : name.dimensions + ",") + "quantile=\"\(quantile)\""
        text += "\(name.label)\(Self.braced(dimensions)) \(value)\n"
      }
      text += "\(name.label)_sum\(Self.braced(name.dimensions)) \(summary.sum)\n"
      text += "\(name.label)_count\(Self.braced(name.dimensions)) \(summary.count)\n"
    }
    return text
  }

  private static func write<Figure>(
    _ figures: [Name: Figure], _ type: String, to text: inout String,
    _ write: (Name, Figure, inout String) -> Void
  ) {
    var last = ""
    let sorted = figures.sorted {
      ($0.key.label, $0.key.dimensions) < ($1.key.label, $1.key.dimensions)
    }
    for (name, figure) in sorted {
      if name.label != last {
        text += "# TYPE \(name.label) \(type)\n"
        last = name.label
      }
      write(name, figure, &text)
    }
  }

  private static func braced(_ dimensions: String) -> String {
    dimensions.isEmpty ? "" : "{\(dimensions)}"
  }

  private static func name(_ label: String, _ dimensions: [(String, String)]) -> Name {
    Name(
      label: String(label.map { $0.isLetter || $0.isNumber ? $0 : "_" }),
      dimensions: dimensions.map { "\($0)=\"\($1)\"" }.joined(separator: ","))
  }
}

/// A counter, which only grows.
private final class Counting: CounterHandler {
  private let count = Atomic<Int64>(0)
  var value: Int64 { count.load(ordering: .relaxed) }
  func increment(by amount: Int64) { count.add(amount, ordering: .relaxed) }
  func reset() { count.store(0, ordering: .relaxed) }
}

/// A gauge with its last value.
private final class Gauge: RecorderHandler {
  private let last = Mutex(0.0)
  var value: Double { last.withLock { $0 } }
  func record(_ value: Int64) { record(Double(value)) }
  func record(_ value: Double) { last.withLock { $0 = value } }
}

/// A histogram of durations: in steps of a fifth, from a microsecond to some minutes.
private final class Timing: TimerHandler {
  private struct Contents {
    var counts = [Int](repeating: 0, count: Timing.stepCount)
    var sum = 0.0
    var count = 0
  }

  private static let stepCount = 110
  private let contents = Mutex(Contents())

  func recordNanoseconds(_ duration: Int64) {
    let seconds = Double(max(0, duration)) / 1e9
    contents.withLock { contents in
      contents.counts[Self.step(of: seconds)] += 1
      contents.sum += seconds
      contents.count += 1
    }
  }

  /// The median, the 99th percentile, the sum in seconds, and the count.
  var summary: (median: Double, late: Double, sum: Double, count: Int) {
    let contents = contents.withLock { $0 }
    func quantile(_ share: Double) -> Double {
      guard contents.count > 0 else { return 0 }
      var left = Int((Double(contents.count) * share).rounded(.up))
      for (step, count) in contents.counts.enumerated() {
        left -= count
        if left <= 0 { return Self.end(of: step) }
      }
      return Self.end(of: Self.stepCount - 1)
    }
    return (quantile(0.5), quantile(0.99), contents.sum, contents.count)
  }

  private static func step(of seconds: Double) -> Int {
    var (step, end) = (0, 1e-6)
    while seconds > end, step < stepCount - 1 {
      end *= 1.2
      step += 1
    }
    return step
  }

  private static func end(of step: Int) -> Double {
    var end = 1e-6
    for _ in 0..<step { end *= 1.2 }
    return end
  }
}
