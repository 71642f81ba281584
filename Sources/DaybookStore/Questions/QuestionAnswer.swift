package import Avro
package import Daybook

/// The answer to a question: values for the program, and one form in JSON.
package protocol QuestionAnswer: Sendable {
  /// Writes the answer as one JSON value.
  func write(to json: inout JSONWriter)

  /// Writes the answer as JSON text, a piece at a time, so that a long one is never held whole.
  ///
  /// - Parameter consume: Receives piece after piece, in UTF-8; an error from it ends the work.
  /// - Throws: what `consume` throws.
  func writePieces<Failure: Error>(_ consume: ([UInt8]) throws(Failure) -> Void) throws(Failure)
}

extension QuestionAnswer {
  /// The answer as JSON.
  package var json: JSON { JSON(written: write) }

  /// Writes the answer in one piece.
  ///
  /// - Throws: what `consume` throws.
  package func writePieces<Failure: Error>(
    _ consume: ([UInt8]) throws(Failure) -> Void
  ) throws(Failure) {
    var json = JSONWriter()
    write(to: &json)
    try consume(json.bytes)
  }
}

/// An answer that is always made a piece at a time.
protocol PiecewiseAnswer: QuestionAnswer {}

extension PiecewiseAnswer {
  /// Writes all pieces.
  package func write(to json: inout JSONWriter) {
    var text: [UInt8] = []
    writePieces { text += $0 }
    json.written(text)
  }
}

/// An answer of many rows is an array, made and written a page at a time.
extension QuestionAnswer {
  /// Writes an array of the rows.
  package func write(to json: inout JSONWriter) where Self: Listing {
    json.array { self.writeRows(0..<self.stepCount, to: &$0) }
  }

  /// Writes an array, a page of rows at a time.
  ///
  /// - Throws: what `consume` throws.
  package func writePieces<Failure: Error>(
    _ consume: ([UInt8]) throws(Failure) -> Void
  ) throws(Failure) where Self: Listing {
    try self.writeArray(consume)
  }
}
