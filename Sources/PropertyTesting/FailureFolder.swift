#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Android)
  internal import Android
#endif

/// A folder that stores the failures of properties until they are fixed, one file for each property.
///
/// The first line of a file is the name of the property. Each further line has the choices of a case, in
/// decimal: first the shrunk case, then the one that failed originally, since that may have had another
/// cause.
struct FailureFolder {
  /// A longer file was not written by this program.
  private static let maximumByteCount = 8 << 20

  private let folder: String
  private let name: String
  private let path: String

  /// Determines the file of a property.
  ///
  /// - Parameters:
  ///   - folder: The folder; it is created when something is stored.
  ///   - name: The name of the property.
  ///   - type: The type of its values: another generator makes another property.
  init(_ folder: String, _ name: String, _ type: Any.Type) {
    self.folder = folder
    self.name = String(name.map { $0.isNewline ? " " : $0 })
    // FNV-1a gives the same hash on every platform.
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in "\(name)\u{0}\(String(reflecting: type))".utf8 {
      hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3
    }
    let digits = String(hash, radix: 16)
    path = folder + "/" + String(repeating: "0", count: 16 - digits.count) + digits + ".txt"
  }

  /// The choices of the stored cases; empty if the file cannot be read.
  var cases: [[UInt64]] {
    guard let file = fopen(path, "r") else { return [] }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: Self.maximumByteCount)
    let count = fread(&bytes, 1, bytes.count, file)
    let lines = String(decoding: bytes[..<count], as: UTF8.self).split(separator: "\n")
    return lines.dropFirst().compactMap { line in
      let numbers = line.split(separator: " ")
      let choices = numbers.compactMap { UInt64($0) }
      return choices.count == numbers.count && choices.count <= Source.choiceLimit ? choices : nil
    }
  }

  /// Stores cases in place of the earlier ones; with no cases, removes the file.
  ///
  /// - Returns: Whether that succeeded.
  func keep(_ cases: [[UInt64]]) -> Bool {
    guard !cases.isEmpty else { return unlink(path) == 0 || errno == ENOENT }
    mkdir(folder, 0o777)
    var text = name + "\n"
    for choices in cases { text += choices.map { String($0) }.joined(separator: " ") + "\n" }
    // Tests run concurrently in several processes, so the file is replaced atomically.
    let draft = "\(path).\(getpid()).\(UInt64.random(in: .min ... .max))"
    guard let file = fopen(draft, "w") else { return false }
    let bytes = Array(text.utf8)
    let isWritten = fwrite(bytes, 1, bytes.count, file) == bytes.count
    guard fclose(file) == 0, isWritten, rename(draft, path) == 0 else {
      unlink(draft)
      return false
    }
    return true
  }
}
