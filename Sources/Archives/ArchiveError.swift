/// A reason why an archive cannot be read.
package enum ArchiveError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The data is not in the format that its first bytes announce: the offset of the fault, and the reason.
  case damaged(offset: Int, reason: String)
  /// The archive uses a feature that is not supported, such as encryption or several parts.
  case unsupported(reason: String)
  /// The contents exceed the size limit, in bytes.
  case tooLarge(maximum: Int)
  /// The archive contains too many files.
  case tooManyFiles(maximum: Int)

  /// A sentence for people.
  package var description: String {
    switch self {
    case .damaged(let offset, let reason):
      "The archive is damaged at byte \(offset): \(reason)."
    case .unsupported(let reason): "The archive cannot be read: \(reason)."
    case .tooLarge(let maximum): "The archive expands to more than \(maximum) bytes."
    case .tooManyFiles(let maximum): "The archive holds more than \(maximum) files."
    }
  }
}
