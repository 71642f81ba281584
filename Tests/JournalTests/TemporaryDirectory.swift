#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif
import Journal
import SimulatedStorage
import Testing

/// Gives each test case its own directory, and removes it afterwards.
struct TemporaryDirectory: TestTrait, SuiteTrait, TestScoping {
  @TaskLocal static var path = ""

  var isRecursive: Bool { true }

  func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @concurrent () async throws -> Void
  ) async throws {
    guard testCase != nil else { return try await function() }
    let parent = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    var template = Array("\(parent)/journal-tests-XXXXXX".utf8CString)
    try #require(mkdtemp(&template) != nil, "no temporary directory could be made")
    let path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    defer { Self.remove(path) }
    try await Self.$path.withValue(path) { try await function() }
  }

  private static func remove(_ path: String) {
    for name in (try? FileStorage().names(in: path)) ?? [] { remove("\(path)/\(name)") }
    if unlink(path) != 0 { rmdir(path) }
  }
}

extension Trait where Self == TemporaryDirectory {
  static var temporaryDirectory: Self { Self() }
}

/// The disks that every test of the journal runs on.
enum Disk: String, CaseIterable {
  case file, memory, simulated

  /// An empty disk, and a directory on it that does not exist yet.
  func make() -> (storage: any Storage, directory: String) {
    switch self {
    case .file: (FileStorage(), TemporaryDirectory.path + "/my.daybook")
    case .memory: (MemoryStorage(), "my.daybook")
    case .simulated: (SimulatedStorage(), "my.daybook")
    }
  }

  /// A journal that does not exist yet.
  func journal() -> Journal {
    let (storage, directory) = make()
    return Journal(directory: directory, storage: storage)
  }
}
