import Avro
@testable import DaybookAuth
import Foundation
import GRDB
import HTTPTypes
import Synchronization
import Testing
import Wire

/// A locked or incomplete database: requests are refused quickly, with a time to retry.
@Suite(.tags(.unit)) struct DatabaseTroubleTests {
  /// A service on a file that another connection has open, too.
  private final class Stage: Sendable {
    let bench: AuthBench
    let other: DatabaseQueue
    private let path: String
    private let told = Reports()

    init() async throws {
      path = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path
      let told = told
      bench = try await AuthBench(
        on: nil, ServerDatabase(at: path) { failure in told.add(failure?.description) })
      var configuration = Configuration()
      configuration.allowsUnsafeTransactions = true
      other = try DatabaseQueue(path: path, configuration: configuration)
    }

    deinit {
      for end in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + end) }
    }

    /// The reports about the database: why it fails, and nothing once it works again.
    var reports: [String?] { told.all.withLock { $0 } }

    func elsewhere(_ sql: String) async throws {
      try await other.writeWithoutTransaction { try $0.execute(sql: sql) }
    }

    /// Runs on the server's own connection.
    func here(_ sql: String) async throws {
      try await bench.database.writer.writeWithoutTransaction { try $0.execute(sql: sql) }
    }

    func check() async -> DatabaseFailure? {
      do throws(DatabaseFailure) { try await bench.database.check() } catch { return error }
      return nil
    }
  }

  private final class Reports: Sendable {
    let all = Mutex<[String?]>([])
    func add(_ report: String?) { all.withLock { $0.append(report) } }
  }

  private func expectUnavailable(_ answer: Answer, _ comment: Comment? = nil) {
    #expect(answer.status == 503 && answer.code == "unavailable", comment)
    #expect(answer.response.headers[.retryAfter] == "1", comment)
  }

  @Test func `while another process holds the lock, all requests are refused at once (HH-2)`()
    async throws
  {
    let stage = try await Stage()
    let bench = stage.bench
    let ada = try await bench.signIn(email: "ada@example.com")
    try await stage.elsewhere("BEGIN IMMEDIATE")
    await withTaskGroup(of: Answer.self) { group in
      for number in 0..<40 {
        group.addTask { await bench.post("otp", ["email": .string("\(number)@example.com")]) }
        group.addTask { await bench.refresh(ada.refreshToken) }
      }
      for await answer in group { expectUnavailable(answer) }
    }
    #expect(await stage.check()?.description.contains("database is locked") == true)
    #expect(try bench.service.claims(of: ada.token).account == ada.key)
    #expect(await bench.send(.get, "user", bearer: ada.token).status == 200)
    #expect(stage.reports.count == 1, "reported once: \(stage.reports)")
    try await stage.elsewhere("ROLLBACK")
    #expect(await bench.refresh(ada.refreshToken).status == 200)
    #expect(await stage.check() == nil)
    #expect(stage.reports.count == 2 && stage.reports.last == .some(nil))
  }

  @Test func `a short lock is waited for, and a long one only by the first requests`()
    async throws
  {
    let (wait, locked) = (LockWait(), DatabaseError(resultCode: .SQLITE_BUSY))
    func tries(failing failureCount: Int) async -> Int {
      var count = 0
      try? await wait.retrying(
        {
          count += 1
          if count <= failureCount { throw locked }
        }, whileLocked: DatabaseFailure.isLock)
      return count
    }
    #expect(await tries(failing: 1) == 2)
    #expect(await tries(failing: .max) > 1)
    #expect(await tries(failing: .max) == 1)
    #expect(await tries(failing: 0) == 1)
    #expect(await tries(failing: 1) == 2, "after a success another lock is waited for")
  }

  @Test func `the service is not ready without a table, and is ready once the table is back`()
    async throws
  {
    let stage = try await Stage()
    let bench = stage.bench
    let ada = try await bench.signIn(email: "ada@example.com")
    let lost = ["limits", "one_time_codes"]
    let made = try await stage.other.read { database in
      try String.fetchAll(
        database, sql: "SELECT sql FROM sqlite_master WHERE tbl_name IN (?, ?) AND sql NOT NULL",
        arguments: StatementArguments(lost))
    }
    for table in lost { try await stage.elsewhere("DROP TABLE \(table)") }
    #expect(await stage.check()?.description.contains("limits") == true)
    for _ in 0..<3 { expectUnavailable(await bench.post("otp", ["email": "ada@example.com"])) }
    #expect(stage.reports.count == 2, "each reason is reported once: \(stage.reports)")
    #expect(try bench.service.claims(of: ada.token).account == ada.key)
    for sql in made { try await stage.elsewhere(sql) }
    #expect(await stage.check() == nil)
    #expect(try await bench.signIn(email: "ada@example.com").key == ada.key)
  }

  @Test func `a failed write is reported, and writes work again afterwards`() async throws {
    let stage = try await Stage()
    #expect(await stage.bench.post("otp", ["email": "ada@example.com"]).status == 200)
    let link = try await stage.bench.link(to: "ada@example.com")
    try await stage.here("PRAGMA query_only = ON")
    expectUnavailable(await stage.bench.post("otp", ["email": "ada@example.com"]))
    expectUnavailable(await stage.bench.send(.get, link))
    #expect(await stage.check()?.description.contains("readonly") == true)
    try await stage.here("PRAGMA query_only = OFF")
    #expect(await stage.check() == nil)
    #expect(await stage.bench.send(.get, link).status == 303, "nothing was used up")
  }

  @Test func `only faults of the database itself count as trouble`() {
    for code: ResultCode in [
      .SQLITE_BUSY, .SQLITE_LOCKED, .SQLITE_FULL, .SQLITE_IOERR, .SQLITE_READONLY, .SQLITE_CORRUPT,
      .SQLITE_CANTOPEN, .SQLITE_NOTADB, .SQLITE_ERROR, .SQLITE_IOERR_WRITE, .SQLITE_BUSY_SNAPSHOT,
    ] {
      #expect(DatabaseFailure(trouble: DatabaseError(resultCode: code)) != nil, "\(code)")
    }
    for code: ResultCode in [.SQLITE_CONSTRAINT, .SQLITE_CONSTRAINT_UNIQUE, .SQLITE_INTERRUPT] {
      #expect(DatabaseFailure(trouble: DatabaseError(resultCode: code)) == nil, "\(code)")
    }
    #expect(DatabaseFailure(trouble: AuthFailure.badJSON) == nil)
  }
}
