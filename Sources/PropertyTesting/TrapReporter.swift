#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Android)
  internal import Android
#endif

/// Reports which case was running when a trap ends the process.
///
/// A body that traps takes the process with it. Before the body runs, the seed of its case is noted for its
/// thread. The signal handler, which runs on the thread that trapped, prints that note and lets the signal
/// proceed. It therefore names the right case even if tests run concurrently, and prints nothing for those
/// that pass.
///
/// It is installed only for runs with `PROPERTY_TRACE=1`, since a library leaves signals to the program.
enum TrapReporter {
  /// The bytes of a thread's note, preceded by their count: a signal handler must not allocate.
  private static let note: pthread_key_t = {
    var key = pthread_key_t()
    pthread_key_create(&key) { pointer in
      // Darwin passes the pointer, Glibc an optional one.
      let note: UnsafeMutableRawPointer? = pointer
      note?.deallocate()
    }
    return key
  }()

  private static let capacity = 1_024

  private static let install: Void = {
    _ = note
    for number in [SIGILL, SIGTRAP, SIGSEGV, SIGBUS, SIGFPE, SIGABRT] {
      signal(number) { number in
        TrapReporter.write()
        // Restores the default action, so that the process ends as it would have.
        signal(number, SIG_DFL)
        raise(number)
      }
    }
  }()

  /// Notes what runs on this thread.
  static func begin(_ text: String) {
    _ = install
    let pointer: UnsafeMutableRawPointer
    if let known = pthread_getspecific(note) {
      pointer = known
    } else {
      pointer = .allocate(byteCount: capacity, alignment: MemoryLayout<Int>.alignment)
      pthread_setspecific(note, pointer)
    }
    let bytes = ("trapped in " + text + "\n").utf8.prefix(capacity - MemoryLayout<Int>.size)
    pointer.storeBytes(of: bytes.count, as: Int.self)
    let text = UnsafeMutableRawBufferPointer(
      start: pointer + MemoryLayout<Int>.size, count: bytes.count)
    text.copyBytes(from: bytes)
  }

  /// Clears the note of this thread.
  static func end() {
    pthread_getspecific(note)?.storeBytes(of: 0, as: Int.self)
  }

  private static func write() {
    guard let pointer = pthread_getspecific(note) else { return }
    let count = pointer.load(as: Int.self)
    #if canImport(Darwin)
      _ = Darwin.write(2, pointer + MemoryLayout<Int>.size, count)
    #elseif canImport(Glibc)
      _ = Glibc.write(2, pointer + MemoryLayout<Int>.size, count)
    #elseif canImport(Musl)
      _ = Musl.write(2, pointer + MemoryLayout<Int>.size, count)
    #elseif canImport(Android)
      _ = Android.write(2, pointer + MemoryLayout<Int>.size, count)
    #endif
  }
}
