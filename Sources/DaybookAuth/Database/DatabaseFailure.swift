import GRDB

/// The server's database could not be opened, read or written.
public struct DatabaseFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// Why, as SQLite says it; it repeats no values.
  public let description: String
  /// Whether what is in the file is damaged.
  let isDamage: Bool

  init(reason: String, isDamage: Bool = false) {
    description = "server.sqlite: \(reason)"
    self.isDamage = isDamage
  }

  init(_ error: any Error) {
    switch error {
    case let failure as DatabaseFailure: self = failure
    case let error as DatabaseError:
      let name = String(describing: error.extendedResultCode)
      self.init(
        reason: "\(name): \(error.message ?? "no message")",
        isDamage: [.SQLITE_CORRUPT, .SQLITE_NOTADB].contains(error.resultCode))
    default: self.init(reason: "\(type(of: error))")
    }
  }

  /// An error that is the database's own, and passes once that is put right; nothing for one that follows from what was
  /// asked.
  init?(trouble error: any Error) {
    let isTrouble =
      (error as? DatabaseError).map { Self.troubles.contains($0.resultCode) }
      ?? (error is DatabaseFailure)
    guard isTrouble else { return nil }
    self.init(error)
  }

  /// A table that is not there is a mere error to SQLite.
  private static let troubles: [ResultCode] = [
    .SQLITE_ERROR, .SQLITE_PERM, .SQLITE_BUSY, .SQLITE_LOCKED, .SQLITE_NOMEM, .SQLITE_READONLY,
    .SQLITE_IOERR, .SQLITE_CORRUPT, .SQLITE_FULL, .SQLITE_CANTOPEN, .SQLITE_PROTOCOL,
    .SQLITE_SCHEMA, .SQLITE_NOLFS, .SQLITE_NOTADB,
  ]

  /// Whether another process has the database locked.
  static func isLock(_ error: any Error) -> Bool {
    let code = (error as? DatabaseError)?.resultCode
    return code == .SQLITE_BUSY || code == .SQLITE_LOCKED
  }
}
