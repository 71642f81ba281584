/// Why an archive cannot be read.
package enum ArchiveError: Error, Hashable, Sendable, CustomStringConvertible {
  /// It is not what its first bytes promise: the byte at which that shows, and why.
  case damaged(offset: Int, reason: String)
  /// It is whole, perhaps, and made in a way that is not read: encrypted, or of more than one file.
  case unsupported(reason: String)
  /// More comes out of it than is taken, in bytes.
  case tooLarge(maximum: Int)
  /// It holds more files than are taken.
  case tooManyFiles(maximum: Int)

  /// A sentence for people.
  package var description: String {
    switch self {
    case .damaged(let offset, let reason):
      "The archive is damaged at byte \(offset): \(reason)."
    case .unsupported(let reason): "The archive cannot be read: \(reason)."
    case .tooLarge(let maximum): "More than \(maximum) bytes come out of the archive."
    case .tooManyFiles(let maximum): "The archive holds more than \(maximum) files."
    }
  }
}
