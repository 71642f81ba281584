import HTTPTypes

// What is refused in more than one place.
extension TableError {
  /// A query names a column that there is not.
  static func unknownColumn(_ column: String, of table: String) -> TableError {
    TableError(.badRequest, "42703", "column \(table).\(column) does not exist")
  }

  /// A body names a column that there is not.
  static func unknownBodyColumn(_ column: String, of table: String) -> TableError {
    TableError(
      .badRequest, "PGRST204",
      "Could not find the '\(column)' column of '\(table)' in the schema cache")
  }

  /// Something is to be done as of a past moment, of which tables can be read, and no more.
  static let pastIsRead = TableError(
    .badRequest, "PGRST100", "what was as of a moment can only be read of a table")

  /// A row is to be called otherwise than it was made.
  static func fixedKey(_ column: String, of table: String) -> TableError {
    TableError(
      .badRequest, "0A000", "the \(column) of a row of \"\(table)\" cannot be changed",
      hint: "Make a new row, and delete this one.")
  }

  /// A body is not what is taken.
  static func invalidBody(_ message: String) -> TableError {
    TableError(.badRequest, "PGRST102", message)
  }

  /// A request would write more rows than one may.
  static let tooManyRows = TableError(
    .contentTooLarge, "54000", "a request writes \(BodyRows.mostRows) rows at most",
    hint: "Write them in several requests.")

  /// A row of an upsert is one that the same request made or changed already. PostgREST answers 500, which clients take for a
  /// fault that passes, and ask again; this one does not.
  static let secondTime = TableError(
    .badRequest, "21000",
    "ON CONFLICT DO UPDATE command cannot affect row a second time",
    hint:
      "Ensure that no rows proposed for insertion within the same command have duplicate constrained values."
  )

  /// No row of a `PUT` has the key that the URL names.
  static let otherPlace = TableError(
    .badRequest, "PGRST115", "Payload values do not match URL in primary key column(s)")

  /// An answer would be longer than one may.
  static let tooLong = TableError(
    .contentTooLarge, "54000", "the answer is longer than \(RowOutput.mostBytes >> 20) MiB",
    hint: "Ask for fewer rows, or embed less in each.")

  /// A request would take more of the server than one may.
  static let tooMuchWork = TableError(
    .contentTooLarge, "54001", "the request takes more work than one may",
    hint: "Ask for fewer rows, by fewer and narrower conditions.")

  /// An account has as many long reads waiting as it may.
  static let tooManyReads = TableError(
    .tooManyRequests, "53400", "too many reads that take long were asked for at once",
    hint: "Wait for the answers, then ask again.")

  /// An account already has as many long writes waiting as it may.
  static let tooManyWrites = TableError(
    .tooManyRequests, "53400", "too many writes that take long were sent at once",
    hint: "Wait for the answers, then send again.")

  /// Whoever asked went away, or said that they would send no more, before it was their turn.
  static let givenUp = TableError(
    .requestTimeout, "57014", "the request was given up, for the client closed its side")

  /// No answer has the rows that are asked for.
  static func range(_ details: String) -> TableError {
    TableError(
      .rangeNotSatisfiable, "PGRST103", "Requested range not satisfiable", details: details)
  }

  /// One row was asked for, and there are none or several.
  static func notSingle(_ count: Int) -> TableError {
    TableError(
      .notAcceptable, "PGRST116", "Cannot coerce the result to a single JSON object",
      details: "The result contains \(count) rows")
  }

  /// Nobody is signed in, and the row is to be somebody's.
  static func anonymousWrite(_ table: String) -> TableError {
    var error = rowSecurity(table)
    error.status = .unauthorized
    return error
  }

  /// The token names an account that is not there, or not any more.
  static let unknownAccount = TableError(
    .unauthorized, "PGRST301", "The account of this token is not known.")

  /// Something failed that is no fault of the one who asks.
  static let failure = TableError(
    .internalServerError, "XX000", "The server could not carry out the request.")
}
