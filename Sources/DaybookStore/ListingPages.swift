import Avro
package import Daybook

/// How the rows of a listing are separated.
package enum RowStyle: Sendable {
  /// As the elements of a JSON array.
  case array
  /// As lines.
  case lines
}

extension Listing {
  /// Writes all rows as pages on several threads, and hands the pages over in order.
  ///
  /// A few pages for each thread are held at once, whatever the number of rows.
  ///
  /// - Parameters:
  ///   - style: How rows are separated. Each page ends as the style requires: with a line's end or
  ///     nothing.
  ///   - threads: How many threads to use; nil for one per core.
  ///   - consume: Receives each page that has rows, in UTF-8; an error from it ends the work.
  /// - Throws: what `consume` throws.
  package func forEachPage<Failure: Error>(
    in style: RowStyle, threads: Int? = nil, _ consume: ([UInt8]) throws(Failure) -> Void
  ) throws(Failure) {
    let pageCount = (stepCount + pageStepCount - 1) / pageStepCount
    try mapInOrder(
      pageCount, threads: threads, { number throws(Failure) in page(number, style) }
    ) { page throws(Failure) in
      if !page.isEmpty { try consume(page) }
    }
  }

  private func page(_ number: Int, _ style: RowStyle) -> [UInt8] {
    var rows = style == .lines ? JSONWriter.lines : JSONWriter()
    let start = number * pageStepCount
    writeRows(start..<min(start + pageStepCount, stepCount), to: &rows)
    var bytes = rows.bytes
    if style == .lines, !bytes.isEmpty { bytes.append(0x0A) }
    return bytes
  }

  /// Writes all rows as one JSON array, a page at a time.
  ///
  /// - Parameters:
  ///   - threads: How many threads make pages; nil for one per core.
  ///   - consume: Receives the text piece by piece, in UTF-8; an error from it ends the work.
  /// - Throws: what `consume` throws.
  package func writeArray<Failure: Error>(
    threads: Int? = nil, _ consume: ([UInt8]) throws(Failure) -> Void
  ) throws(Failure) {
    var separator = UInt8(ascii: "[")
    try forEachPage(in: .array, threads: threads) { page throws(Failure) in
      try consume([separator])
      try consume(page)
      separator = UInt8(ascii: ",")
    }
    try consume(Array((separator == UInt8(ascii: "[") ? "[]" : "]").utf8))
  }
}
