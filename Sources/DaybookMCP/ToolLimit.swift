/// The limits of a session, apart from those of the book.
package enum ToolLimit {
  /// The longest message, in bytes.
  package static let messageByteCount = 1 << 20
  /// The longest answer that is made before it is shortened, in bytes.
  package static let answerByteCount = 4 << 20
  /// The longest answer in a result, in bytes: what a model reads at once.
  static let resultByteCount = 32 << 10
  /// The longest text in an answer that must be shortened, in characters (Unicode scalars).
  static let textCount = 1000
  /// The longest id of a request, in bytes: a response repeats it.
  static let idByteCount = 1000
  /// The most messages in a batch.
  static let batchCount = 100
  /// The most tools or resources on a page of a list.
  static let pageCount = 100
}
