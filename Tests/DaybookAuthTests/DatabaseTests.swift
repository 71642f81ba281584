import Foundation
@testable import DaybookAuth
import GRDB
import HTTPTypes
import Wire
import Avro
import Testing

/// The file that holds secrets.
@Suite(.tags(.unit)) struct DatabaseTests {
  private func path() -> String {
    FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path
  }

  private func remove(_ path: String) {
    for end in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + end) }
  }

  @Test func `a database file is created, and opened again with its content`() async throws {
    let path = path()
    defer { remove(path) }
    let bench = try await AuthBench(on: nil, ServerDatabase(at: path))
    let signedIn = try await bench.signIn(email: "ada@example.com")
    let again = try await AuthBench(
      on: bench.book, ServerDatabase(at: path), clock: bench.clock)
    #expect(try again.service.claims(of: signedIn.token).account == signedIn.key)
    let mode = try await again.database.read { database in
      try String.fetchOne(database, sql: "PRAGMA journal_mode")
    }
    #expect(mode == "wal")
    let permissions = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions]
    #expect(permissions as? Int == 0o600)
  }

  @Test func `a file that is not a database is refused without a trap`() throws {
    let path = path()
    defer { remove(path) }
    try Data(repeating: 7, count: 8192).write(to: URL(filePath: path))
    #expect(throws: DatabaseFailure.self) { try ServerDatabase(at: path) }
    #expect(throws: DatabaseFailure.self) { try ServerDatabase(at: "/nowhere/at/all.sqlite") }
  }
}
