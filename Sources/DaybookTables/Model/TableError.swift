public import HTTPTypes

/// An error of a request to the tables, in PostgREST's form.
public struct TableError: Error, Hashable, Sendable {
  /// The status.
  public var status: HTTPResponse.Status
  /// `PGRST…`, or an SQLSTATE.
  public var code: String
  /// One sentence about the error.
  public var message: String
  /// Further details.
  public var details: String?
  /// What to do instead.
  public var hint: String?
  /// The number of rows, if the requested page begins beyond them.
  public var total: Int?

  public init(
    _ status: HTTPResponse.Status, _ code: String, _ message: String, details: String? = nil,
    hint: String? = nil
  ) {
    self.status = status
    self.code = code
    self.message = message
    self.details = details
    self.hint = hint
  }

  /// A function refused (`raise exception`).
  public static func raised(_ message: String) -> TableError {
    TableError(.badRequest, "P0001", message)
  }

  /// The writer may not have such a row.
  public static func rowSecurity(_ table: String) -> TableError {
    TableError(
      .forbidden, "42501", "new row violates row-level security policy for table \"\(table)\"")
  }
}
