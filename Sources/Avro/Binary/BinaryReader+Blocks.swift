extension BinaryReader {
  /// Takes the head of the next block of an array or map: how many items, and if it says so, how many
  /// bytes they take; `nil` at the end.
  ///
  /// Whoever takes the first item then lets ``checkItems(_:firstFrom:)`` judge how many there are.
  ///
  /// - Throws: ``AvroError/invalidLength`` when a count or length is out of its range.
  @usableFromInline
  @_lifetime(self: copy self)
  mutating func takeBlock() throws(AvroError) -> (count: Int, byteCount: Int?)? {
    let count = try takeLong()
    guard count != 0 else { return nil }
    guard let items = Int(exactly: count.magnitude) else { throw .invalidLength }
    return (items, count < 0 ? try takeLength() : nil)
  }

  /// Judges the count of a block's items when the first of them has been taken, from `start` on.
  ///
  /// A type has bytes in all its values or in none. Items that have some are at most as many as the bytes that
  /// follow; items that have none are counted over all that the reader takes.
  ///
  /// - Throws: ``AvroError/invalidLength``, or ``AvroError/limitExceeded(_:)`` with
  ///   ``AvroLimit/emptyItemCount``.
  @usableFromInline
  @_lifetime(self: copy self)
  mutating func checkItems(_ count: Int, firstFrom start: Int) throws(AvroError) {
    if position > start {
      guard count - 1 <= remaining else { throw .invalidLength }
    } else {
      try countEmptyItems(count)
    }
  }

  /// Counts items that take no bytes.
  ///
  /// - Throws: ``AvroError/limitExceeded(_:)`` with ``AvroLimit/emptyItemCount``.
  @usableFromInline
  @_lifetime(self: copy self)
  mutating func countEmptyItems(_ count: Int) throws(AvroError) {
    let limit = AvroLimit.emptyItemCount
    guard count <= limit.maximum - emptyItemCount else { throw .limitExceeded(limit) }
    emptyItemCount += count
  }

  /// Goes into what may contain itself. Types that cannot are as deep as their schema, and are not counted.
  ///
  /// - Throws: ``AvroError/limitExceeded(_:)`` with ``AvroLimit/depth``.
  @usableFromInline
  @_lifetime(self: copy self)
  mutating func enter() throws(AvroError) {
    depth += 1
    try AvroLimit.depth.check(depth)
  }

  /// Comes out again.
  @usableFromInline
  @_lifetime(self: copy self)
  mutating func leave() { depth -= 1 }
}
