#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Repeats a call that may move fewer bytes than asked for, until all are moved or it moves none.
/// The call receives how many bytes were moved so far, and returns how many more it moved, or −1
/// with `errno`.
///
/// - Returns: How many bytes were moved: fewer only where there are no more. `nil` when a call
///   failed; then `errno` says why, and part of the bytes may have been moved.
func moveAll(_ count: Int, _ call: (_ done: Int) -> Int) -> Int? {
  var done = 0
  while done < count {
    let moved = retrying { call(done) }
    if moved < 0 { return nil }
    if moved == 0 { break }
    done += moved
  }
  return done
}

/// Repeats a call that a signal interrupted before it did anything.
func retrying<Result: SignedInteger>(_ call: () -> Result) -> Result {
  while true {
    let result = call()
    if result != -1 || errno != EINTR { return result }
  }
}

// Inside `FileStorage`, the names `open`, `rename` and `link` refer to its own methods.
func openFile(_ path: String, _ flags: Int32, _ mode: mode_t) -> Int32 {
  open(path, flags, mode)
}

func openFile(
  in directory: Int32, _ name: String, _ flags: Int32, _ mode: mode_t
) -> Int32 {
  openat(directory, name, flags, mode)
}

func linkStatus(_ path: String, _ status: inout stat) -> Int32 { lstat(path, &status) }

func renameFile(_ path: String, _ newPath: String) -> Int32 { rename(path, newPath) }

func fileStatus(_ path: String, _ status: inout stat) -> Int32 { stat(path, &status) }

func linkFile(_ path: String, _ newPath: String) -> Int32 { link(path, newPath) }

extension StorageError {
  init(_ code: Int32, _ operation: String, _ path: String) {
    let reason: Reason =
      switch code {
      case ENOSPC, EDQUOT: .full
      case EACCES, EPERM, EROFS: .notPermitted
      case ENOENT, ENOTDIR: .notFound
      case ELOOP: .link
      default: .system(code)
      }
    let message =
      reason == .link ? "it is a symbolic link" : String(cString: strerror(code)).lowercased()
    self.init(operation: operation, path: path, reason: reason, message: message)
  }
}
