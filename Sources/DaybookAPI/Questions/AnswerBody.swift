import Values

/// The body of an answer that is made piece by piece: as long as somebody waits for it, and no longer than is given at once.
struct AnswerBody {
  /// What was taken.
  private(set) var bytes: [UInt8] = []
  private let maximumByteCount: Int
  private let isWanted: () -> Bool

  /// Makes an empty one.
  ///
  /// - Parameters:
  ///   - maximumByteCount: How long it may be.
  ///   - isWanted: Whether somebody still waits for it.
  init(
    atMost maximumByteCount: Int = Limit.maximumAnswerByteCount,
    while isWanted: @escaping () -> Bool
  ) {
    self.maximumByteCount = maximumByteCount
    self.isWanted = isWanted
  }

  /// Takes a piece.
  ///
  /// - Throws: ``APIRefusal/answerTooLong``, or `CancellationError` when nobody waits any more: no more pieces are made then.
  mutating func append(_ piece: [UInt8]) throws {
    guard isWanted() else { throw CancellationError() }
    guard bytes.count + piece.count <= maximumByteCount else { throw APIRefusal.answerTooLong }
    bytes += piece
  }
}
