public import Journal

/// Why a replica refuses, or why a sync did not finish. What was recorded stays recorded, and commands that wait stay
/// in their queue.
public enum ReplicaError: Error, Sendable, CustomStringConvertible {
  /// The directory belongs to another account: its commands are never sent for this one.
  case otherAccount(directory: String, given: String)
  /// Somebody signed in as another account than the replica's.
  case signedInAsOther
  /// Another process has the replica open.
  case held(path: String, holder: String)
  /// A file of the replica is damaged.
  case damaged(path: String, line: Int, reason: String)
  /// A file of the replica was written by a newer program.
  case newer(path: String)
  /// An earlier write failed, so it is unknown what is on disk.
  case unsettled(path: String)
  /// The disk refuses a file operation.
  case storage(StorageError)
  /// The replica has not pulled its account yet.
  case empty
  /// The command needs the server, because it names a position in its book.
  case onlineOnly(command: String)
  /// The book is not the one that the replica mirrors, or an older state of it. Nothing was sent.
  case diverged
  /// The answer cannot be used: it was cut, or it is from a program that this one does not understand.
  case unusable(reason: String)
  /// The server refuses the request as a whole.
  case refused(status: Int, code: String, message: String)
  /// The server cannot be reached.
  case unreachable(reason: String)
  /// Another sync of this replica is under way.
  case syncing
  /// There is no such conflict.
  case noConflict

  /// What went wrong with a mirror's book.
  init(_ error: JournalError, of mirror: String) {
    if case .storage(let error) = error {
      self = .storage(error)
    } else {
      self = .unsettled(path: mirror)
    }
  }

  /// A stable name in snake_case.
  public var code: String {
    switch self {
    case .otherAccount: "other_account"
    case .signedInAsOther: "signed_in_as_other"
    case .held: "replica_held"
    case .damaged: "replica_damaged"
    case .newer: "replica_newer"
    case .unsettled: "replica_unsettled"
    case .storage: "storage"
    case .empty: "replica_empty"
    case .onlineOnly: "online_only"
    case .diverged: "diverged"
    case .unusable: "unusable_answer"
    case .refused(_, let code, _): code
    case .unreachable: "unreachable"
    case .syncing: "syncing"
    case .noConflict: "conflict_not_found"
    }
  }

  /// Whether the same sync may succeed later, without anybody doing anything.
  public var isTransient: Bool {
    switch self {
    case .unreachable, .unusable: true
    case .refused(let status, _, _): status == 429 || status >= 500
    default: false
    }
  }

  /// One sentence: what happened, and what to do next.
  public var description: String {
    switch self {
    case .otherAccount(let directory, let given):
      "\(directory) belongs to another account than \(given); use another directory."
    case .signedInAsOther:
      "The server knows this token as another account than the replica's; nothing was sent. "
        + "Sign in as the account of the replica, or clone into another directory."
    case .held(let path, let holder):
      "\(path) is in use by \(holder); wait for that to end."
    case .damaged(let path, let line, let reason):
      "\(path), line \(line): \(reason). Keep a copy of it, then remove the line."
    case .newer(let path): "\(path) was written by a newer Daybook; update this one."
    case .unsettled(let path):
      "\(path) could not be written before; check the disk, then open the replica again."
    case .storage(let error): error.description
    case .empty: "Nothing was pulled yet; sync first."
    case .onlineOnly(let command):
      "\(command) names a position in the server's book; send it to the server itself."
    case .diverged:
      "The server's book is another one than was mirrored, or an older state of it; nothing was sent. "
        + "Find out which, then sync again and accept what the server has."
    case .unusable(let reason): "The answer cannot be used: \(reason); sync again."
    case .refused(_, _, let message): message
    case .unreachable(let reason):
      "The server cannot be reached: \(reason). What was recorded waits and is sent later."
    case .syncing: "A sync is under way; wait for it to end."
    case .noConflict: "There is no such conflict."
    }
  }
}
