extension String {
  /// Builds a text from the bytes that a closure appends, which must all be ASCII.
  package init(capacity: Int, _ write: (inout [UInt8]) -> Void) {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(capacity)
    write(&bytes)
    self.init(decoding: bytes, as: UTF8.self)
  }
}
