import Journal

/// A failure of a call to a disk.
public enum DiskFault: String, CaseIterable, Hashable, Sendable {
  /// The call fails and does nothing.
  case inputOutput
  /// The same as `inputOutput`, but a write has written its first half.
  case shortInputOutput
  /// The disk is full: this call, and all calls that need space, fail until there is space again.
  case full
  /// The same as `full`, and a write has written its first half.
  case shortFull

  /// Whether the fault is a full disk, which does not affect calls that need no space.
  public var isFull: Bool { self == .full || self == .shortFull }
  /// Whether a write has written its first half.
  public var isShort: Bool { self == .shortInputOutput || self == .shortFull }

  /// The error that the call throws.
  func error(_ operation: String, _ path: String) -> StorageError {
    StorageError(
      operation: operation, path: path, reason: isFull ? .full : .system(5),
      message: isFull ? "no space left on device" : "input/output error")
  }
}

extension StorageError {
  static func exists(_ operation: String, _ path: String) -> StorageError {
    StorageError(operation: operation, path: path, reason: .system(17), message: "file exists")
  }
}
