extension JSON {
  /// The value as JSON text in one line, without spaces; members in their order.
  public var encoded: String {
    var writer = JSONWriter()
    writer.value(self)
    return String(decoding: writer.bytes, as: UTF8.self)
  }
}
