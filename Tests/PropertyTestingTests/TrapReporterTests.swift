#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#endif
import PropertyTesting
import Testing

@Suite(.tags(.unit)) struct TrapReporterTests {
  @Test func `among many parallel runs the trapping case is named`() async throws {
    let result = try await #require(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      setTracing()
      await withTaskGroup { group in
        for number in 0..<8 {
          group.addTask {
            _ = check("run \(number)", .integer(in: 0...999), cases: 100_000, seed: 1) { value in
              // Only one of the runs reaches a value that traps, after others have started.
              precondition(number != 3 || value < 990, "planted")
              return true
            }
          }
        }
      }
    }
    let text = String(decoding: result.standardErrorContent, as: UTF8.self)
    let lines = text.split(separator: "\n").filter { $0.hasPrefix("trapped in") }
    #expect(lines.count == 1, "\(text)")
    let line = try #require(lines.first)
    let seed = try #require(line.split(separator: "0x").last.flatMap { UInt64($0, radix: 16) })
    #expect(line.hasPrefix("trapped in “run 3”, case of seed 0x"))
    // The reported seed is that of a failing case.
    let report = check("again", .integer(in: 0...999), cases: 1, seed: seed) { $0 < 990 }
    #expect(report.counterExample?.caseNumber == 1)
  }
}

/// Turns tracing on for a process of its own.
private func setTracing() {
  setenv("PROPERTY_TRACE", "1", 1)
  unsetenv("PROPERTY_CASES")
}
