import Values

/// The body of an answer made piece by piece, while its reader waits and up to a maximum length.
struct AnswerBody {
  /// The bytes so far.
  private(set) var bytes: [UInt8] = []
  private let maximumByteCount: Int
  private let isWanted: () -> Bool

  /// Makes an empty one.
  ///
  /// - Parameters:
  ///   - maximumByteCount: The most bytes.
  ///   - isWanted: Whether the reader still waits.
  init(
    atMost maximumByteCount: Int = Limit.maximumAnswerByteCount,
    while isWanted: @escaping () -> Bool
  ) {
    self.maximumByteCount = maximumByteCount
    self.isWanted = isWanted
  }

  /// Appends a piece.
  ///
  /// - Throws: ``APIRefusal/answerTooLong``, or `CancellationError` if nobody waits any more; no more pieces are
  ///   made then.
  mutating func append(_ piece: [UInt8]) throws {
    guard isWanted() else { throw CancellationError() }
    guard bytes.count + piece.count <= maximumByteCount else { throw APIRefusal.answerTooLong }
    bytes += piece
  }
}
