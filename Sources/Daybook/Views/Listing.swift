package import Avro

/// An answer of many rows, each made on demand: the caller holds a page of them, not all.
///
/// All rejections happen when the listing is made. Pages may be made in parallel.
package protocol Listing: Sendable {
  /// The number of steps in which the rows are made: a step makes one row, several or none.
  var stepCount: Int { get }
  /// The number of steps that make a page: small where a step makes many rows.
  var pageStepCount: Int { get }
  /// Writes the rows of some steps, one JSON value after another.
  func writeRows(_ steps: Range<Int>, to rows: inout JSONWriter)
}

extension Listing {
  /// A row has some hundred bytes.
  package var pageStepCount: Int { 128 }

  /// All rows at once.
  package var rows: [JSON] {
    JSON(written: { $0.array { writeRows(0..<stepCount, to: &$0) } }).elements ?? []
  }
}

/// Rows that exist already.
struct RowList<Row: RowValue>: Listing {
  let all: [Row]

  var stepCount: Int { all.count }

  func writeRows(_ steps: Range<Int>, to rows: inout JSONWriter) {
    for step in steps { all[step].write(to: &rows) }
  }
}
