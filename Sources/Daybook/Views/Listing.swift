package import Avro

/// An answer of many rows, each of which is made when it is wanted: whoever asks holds a page of them, not all.
///
/// What is to be refused was refused when the listing was made. Pages may be made side by side.
package protocol Listing: Sendable {
  /// In how many steps the rows are made: a step makes one row, several or none.
  var stepCount: Int { get }
  /// How many steps make a page: less where a step makes much.
  var pageStepCount: Int { get }
  /// Writes the rows of some steps, one JSON value after another.
  func writeRows(_ steps: Range<Int>, to rows: inout JSONWriter)
}

extension Listing {
  /// Rows are some hundred bytes, or some hundred rows of them a step.
  package var pageStepCount: Int { 128 }

  /// All rows at once.
  package var rows: [JSON] {
    JSON(written: { $0.array { writeRows(0..<stepCount, to: &$0) } }).elements ?? []
  }
}

/// Rows that are there already.
struct RowList<Row: RowValue>: Listing {
  let all: [Row]

  var stepCount: Int { all.count }

  func writeRows(_ steps: Range<Int>, to rows: inout JSONWriter) {
    for step in steps { all[step].write(to: &rows) }
  }
}
