import HTTPTypes

// Errors that arise in more than one place.
extension TableError {
  /// A query names a column that does not exist.
  static func unknownColumn(_ column: String, of table: String) -> TableError {
    TableError(.badRequest, "42703", "column \(table).\(column) does not exist")
  }

  /// A body names a column that does not exist.
  static func unknownBodyColumn(_ column: String, of table: String) -> TableError {
    TableError(
      .badRequest, "PGRST204",
      "Could not find the '\(column)' column of '\(table)' in the schema cache")
  }

  /// A request other than reading a table names a past moment.
  static let pastIsRead = TableError(
    .badRequest, "PGRST100", "a past moment can be given only to read a table")

  /// A request would change the key of a row.
  static func fixedKey(_ column: String, of table: String) -> TableError {
    TableError(
      .badRequest, "0A000", "the \(column) of a row of \"\(table)\" cannot be changed",
      hint: "Make a new row, and delete this one.")
  }

  /// A body has the wrong form.
  static func invalidBody(_ message: String) -> TableError {
    TableError(.badRequest, "PGRST102", message)
  }

  /// A request would write too many rows.
  static let tooManyRows = TableError(
    .contentTooLarge, "54000", "a request may write at most \(BodyRows.mostRows) rows",
    hint: "Write them in several requests.")

  /// An upsert contains a row that the same request has already written. PostgREST answers 500, which clients take
  /// for a transient fault and retry; this server does not.
  static let secondTime = TableError(
    .badRequest, "21000",
    "ON CONFLICT DO UPDATE command cannot affect row a second time",
    hint:
      "Ensure that no rows proposed for insertion within the same command have duplicate constrained values."
  )

  /// A row is put under a key that is not its own.
  static let otherPlace = TableError(
    .badRequest, "PGRST115", "Payload values do not match URL in primary key column(s)")

  /// An answer would be too long.
  static let tooLong = TableError(
    .contentTooLarge, "54000", "the answer is longer than \(RowOutput.mostBytes >> 20) MiB",
    hint: "Ask for fewer rows, or embed less in each.")

  /// A request would cost the server too much.
  static let tooMuchWork = TableError(
    .contentTooLarge, "54001", "the request takes more work than is allowed",
    hint: "Ask for fewer rows, with fewer and narrower conditions.")

  /// An account has too many long reads waiting.
  static let tooManyReads = TableError(
    .tooManyRequests, "53400", "too many long reads at once",
    hint: "Wait for the answers, then ask again.")

  /// An account has too many long writes waiting.
  static let tooManyWrites = TableError(
    .tooManyRequests, "53400", "too many long writes at once",
    hint: "Wait for the answers, then send again.")

  /// The client left, or closed its side, before the request's turn came.
  static let givenUp = TableError(
    .requestTimeout, "57014", "the request was abandoned, because the client closed its side")

  /// The requested range lies outside the answer.
  static func range(_ details: String) -> TableError {
    TableError(
      .rangeNotSatisfiable, "PGRST103", "Requested range not satisfiable", details: details)
  }

  /// A single row was requested, and there are none or several.
  static func notSingle(_ count: Int) -> TableError {
    TableError(
      .notAcceptable, "PGRST116", "Cannot coerce the result to a single JSON object",
      details: "The result contains \(count) rows")
  }

  /// Nobody is signed in, and the row would need an owner.
  static func anonymousWrite(_ table: String) -> TableError {
    var error = rowSecurity(table)
    error.status = .unauthorized
    return error
  }

  /// The token names an account that does not exist, or no longer does.
  static let unknownAccount = TableError(
    .unauthorized, "PGRST301", "The account of this token is not known.")

  /// Something failed that is not the client's fault.
  static let failure = TableError(
    .internalServerError, "XX000", "The server could not carry out the request.")
}
