import Avro

/// A page of a list.
struct ListPage {
  /// Which elements are on it.
  let range: Range<Int>
  /// The cursor of the next page, if there is one.
  let next: JSON?

  /// The page that a request asks for.
  ///
  /// - Parameters:
  ///   - parameters: The request's parameters.
  ///   - count: The number of elements in the list.
  /// - Throws: ``RPCError`` for a cursor that no page has.
  init(_ parameters: JSON, of count: Int) throws(RPCError) {
    var start = 0
    if let cursor = parameters["cursor"], cursor != .null {
      guard let number = cursor.text.flatMap({ Int($0) }), number > 0, number < count else {
        throw .invalidParameters("cursor: no page has this one; begin again without it.")
      }
      start = number
    }
    let end = min(count, start + ToolLimit.pageCount)
    range = start..<end
    next = end < count ? .string(String(end)) : nil
  }

  /// The result with a list's elements on this page.
  func result(_ name: String, _ elements: [JSON]) -> JSON {
    .object([.init(name, .array(elements))] + (next.map { [.init("nextCursor", $0)] } ?? []))
  }
}
