#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif
import Testing

/// The bytes of a file in `Fixtures`, beside this one.
func fixture(_ name: String) throws -> [UInt8] {
  let directory = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast()
    .joined(separator: "/")
  let file = try #require(fopen("\(directory)/Fixtures/\(name)", "rb"), "\(name) is missing")
  defer { fclose(file) }
  var bytes = [UInt8](repeating: 0, count: 1 << 16)
  bytes.removeLast(bytes.count - fread(&bytes, 1, bytes.count, file))
  return bytes
}
