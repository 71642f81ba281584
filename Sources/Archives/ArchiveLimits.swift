/// Limits on reading an archive: a few bytes may expand to gigabytes.
package struct ArchiveLimits: Hashable, Sendable {
  /// The number of files.
  package var fileCount: Int
  /// The size of one file, in bytes.
  package var fileByteCount: Int
  /// The size of all files together, in bytes.
  package var byteCount: Int

  /// Makes limits.
  package init(fileCount: Int, fileByteCount: Int, byteCount: Int) {
    self.fileCount = fileCount
    self.fileByteCount = fileByteCount
    self.byteCount = byteCount
  }

  /// Ten thousand files, 64 MiB for one, 256 MiB for all: more than years of recipes with pictures.
  package static let usual = ArchiveLimits(
    fileCount: 10_000, fileByteCount: 1 << 26, byteCount: 1 << 28)
}
