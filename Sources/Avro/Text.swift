extension String {
  /// The text that bytes are; `nil` when they are not valid UTF-8.
  ///
  /// `String(validating:as:)` is generic, and looks up metadata for each text.
  @usableFromInline
  init?(valid bytes: Span<UInt8>) {
    guard let text = try? UTF8Span(validating: bytes) else { return nil }
    self.init(copying: text)
  }
}
