public import HTTPTypes

/// Why a request to the tables is refused, as PostgREST says it.
public struct TableError: Error, Hashable, Sendable {
  /// The status.
  public var status: HTTPResponse.Status
  /// `PGRST…`, or an SQLSTATE.
  public var code: String
  /// One sentence.
  public var message: String
  /// More of it.
  public var details: String?
  /// What to do instead.
  public var hint: String?
  /// How many rows there are, where a page was asked for that begins behind them all.
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

  /// A function of the database refused (`raise exception`).
  public static func raised(_ message: String) -> TableError {
    TableError(.badRequest, "P0001", message)
  }

  /// A row that the one who writes may not have.
  public static func rowSecurity(_ table: String) -> TableError {
    TableError(
      .forbidden, "42501", "new row violates row-level security policy for table \"\(table)\"")
  }
}
