extension JSON {
  /// The value as JSON text on one line, without spaces, with members in order.
  public var encoded: String {
    var writer = JSONWriter()
    writer.value(self)
    return String(decoding: writer.bytes, as: UTF8.self)
  }
}
