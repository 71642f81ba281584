extension String {
  /// A text put together byte by byte, all of them ASCII.
  package init(capacity: Int, _ write: (inout [UInt8]) -> Void) {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(capacity)
    write(&bytes)
    self.init(decoding: bytes, as: UTF8.self)
  }
}
