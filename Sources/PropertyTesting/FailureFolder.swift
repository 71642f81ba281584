#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Android)
  internal import Android
#endif

/// A folder in which the failures of properties are remembered until they are mended: a file each.
///
/// A file has the name of the property in its first line, then a line for each case: its choices, in decimal. They are
/// the shrunk case, and the one that failed first, for the fault of that may have been another.
struct FailureFolder {
  /// A longer file is none of ours.
  private static let maximumByteCount = 8 << 20

  private let folder: String
  private let name: String
  private let path: String

  /// Names the file of a property.
  ///
  /// - Parameters:
  ///   - folder: The folder; it is made when something is kept.
  ///   - name: The property.
  ///   - type: Of which its values are: another generator is another property.
  init(_ folder: String, _ name: String, _ type: Any.Type) {
    self.folder = folder
    self.name = String(name.map { $0.isNewline ? " " : $0 })
    // FNV-1a: the same on every platform.
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in "\(name)\u{0}\(String(reflecting: type))".utf8 {
      hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3
    }
    let digits = String(hash, radix: 16)
    path = folder + "/" + String(repeating: "0", count: 16 - digits.count) + digits + ".txt"
  }

  /// The choices of the cases that are remembered; a file that cannot be read has none.
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

  /// Remembers cases in the place of those before; without any, nothing is remembered any more.
  ///
  /// - Returns: Whether that could be done.
  func keep(_ cases: [[UInt64]]) -> Bool {
    guard !cases.isEmpty else { return unlink(path) == 0 || errno == ENOENT }
    mkdir(folder, 0o777)
    var text = name + "\n"
    for choices in cases { text += choices.map { String($0) }.joined(separator: " ") + "\n" }
    // Tests run side by side, in several processes: a file is there whole, or not.
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
