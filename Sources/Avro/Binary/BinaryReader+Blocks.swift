extension BinaryReader {
  /// Takes the head of the next block of an array or map: the number of items and, if given, the number of
  /// their bytes; `nil` at the end.
  ///
  /// After taking the first item, the caller must validate the count with ``checkItems(_:firstFrom:)``.
  ///
  /// - Throws: ``AvroError/invalidLength`` when a count or length is out of range.
  @usableFromInline
  @_lifetime(self: copy self)
  mutating func takeBlock() throws(AvroError) -> (count: Int, byteCount: Int?)? {
    let count = try takeLong()
    guard count != 0 else { return nil }
    guard let items = Int(exactly: count.magnitude) else { throw .invalidLength }
    return (items, count < 0 ? try takeLength() : nil)
  }

  /// Validates the count of a block's items after the first of them was taken, starting at `start`.
  ///
  /// Either all values of a type have bytes, or none has. There can be no more items with bytes than bytes
  /// that follow; items without bytes are counted over everything the reader takes.
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

  /// Enters a type that may contain itself. Other types are only as deep as their schema, and are not
  /// counted.
  ///
  /// - Throws: ``AvroError/limitExceeded(_:)`` with ``AvroLimit/depth``.
  @usableFromInline
  @_lifetime(self: copy self)
  mutating func enter() throws(AvroError) {
    depth += 1
    try AvroLimit.depth.check(depth)
  }

  /// Leaves a type that may contain itself.
  @usableFromInline
  @_lifetime(self: copy self)
  mutating func leave() { depth -= 1 }
}
