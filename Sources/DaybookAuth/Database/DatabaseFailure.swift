import GRDB

/// A failure to open, read or write the server's database.
public struct DatabaseFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// The reason, in SQLite's words; it contains no values.
  public let description: String
  /// Whether the file is damaged.
  let isDamage: Bool

  init(reason: String, isDamage: Bool = false) {
    description = "server.sqlite: \(reason)"
    self.isDamage = isDamage
  }

  /// The failure behind an error of the database; an error of another kind is named by its type.
  package init(_ error: any Error) {
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

  /// A failure of the database itself, which ends once it is repaired; `nil` for an error caused by the request.
  init?(trouble error: any Error) {
    let isTrouble =
      (error as? DatabaseError).map { Self.troubles.contains($0.resultCode) }
      ?? (error is DatabaseFailure)
    guard isTrouble else { return nil }
    self.init(error)
  }

  /// For SQLite, a missing table is a generic error.
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
