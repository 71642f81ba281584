extension String {
  /// Decodes bytes as text; `nil` when they are not valid UTF-8.
  ///
  /// `String(validating:as:)` is generic, and looks up metadata on each call.
  @usableFromInline
  init?(valid bytes: Span<UInt8>) {
    guard let text = try? UTF8Span(validating: bytes) else { return nil }
    self.init(copying: text)
  }
}
