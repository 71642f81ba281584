import Calendar
import DaybookStore
import Synchronization
import Values

/// The files that people chose, between the trial that says what they hold and the import: a browser does not send a file
/// twice by itself. They are in memory, so a restart asks for the file again.
final class PendingUploads: Sendable {
  private struct Upload {
    let id: Key
    let file: FileImport
    let expiry: Instant
  }

  /// How long a file is kept, in milliseconds: a quarter of an hour.
  private static let milliseconds: Int64 = 900_000
  /// The most bytes of all files together.
  private static let byteLimit = 64 << 20

  /// The file of each account, of which a new one takes the place.
  private let uploads = Mutex<[Key: Upload]>([:])

  /// Keeps a file of an account.
  ///
  /// - Returns: Its id; `nil` when there is no room.
  func keep(_ file: FileImport, of account: Key, at now: Instant) -> Key? {
    uploads.withLock { uploads in
      uploads = uploads.filter { $0.key != account && $0.value.expiry > now }
      let byteCount = uploads.values.reduce(0) { $0 + $1.file.bytes.count }
      guard byteCount + file.bytes.count <= Self.byteLimit else { return nil }
      let id = Key()
      uploads[account] = Upload(
        id: id, file: file, expiry: now.advanced(byMilliseconds: Self.milliseconds))
      return id
    }
  }

  /// Hands out an account's file, if it is still the one with this id.
  func take(_ id: Key, of account: Key, at now: Instant) -> FileImport? {
    uploads.withLock { uploads in
      guard let upload = uploads[account], upload.id == id, upload.expiry > now else { return nil }
      uploads[account] = nil
      return upload.file
    }
  }

  /// Forgets the file of an account.
  func forget(_ account: Key) { uploads.withLock { $0[account] = nil } }
}
