/// How much is taken of an archive: a few bytes may ask for gigabytes.
package struct ArchiveLimits: Hashable, Sendable {
  /// So many files.
  package var fileCount: Int
  /// So many bytes of one file.
  package var fileByteCount: Int
  /// So many bytes of all files together.
  package var byteCount: Int

  /// Makes limits.
  package init(fileCount: Int, fileByteCount: Int, byteCount: Int) {
    self.fileCount = fileCount
    self.fileByteCount = fileByteCount
    self.byteCount = byteCount
  }

  /// Ten thousand files, 64 MiB of one, 256 MiB of all: more than years of anybody's recipes with their pictures.
  package static let usual = ArchiveLimits(
    fileCount: 10_000, fileByteCount: 1 << 26, byteCount: 1 << 28)
}
