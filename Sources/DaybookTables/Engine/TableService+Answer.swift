import Daybook
import HTTPTypes
public import Wire

extension TableService {
  /// Answers a request for a table (`["habits"]`) or a function (`["rpc", "log_habit"]`).
  ///
  /// A request that writes is one commit: all of it is recorded, or nothing.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - schema: The tables and functions that it may name.
  ///   - viewer: The caller.
  /// - Returns: The answer; errors are answers, too.
  public func answer(
    _ request: WireRequest, in schema: TableSchema, by viewer: Viewer
  ) async -> WireResponse {
    do {
      var response = try await TableRequest(self, request, in: schema, by: viewer).answer()
      if request.method == .head { response.body = [] }
      return response
    } catch let error as TableError {
      return Self.response(error, to: request.method)
    } catch is RequestBudget.Spent {
      return Self.response(.tooMuchWork, to: request.method)
    } catch is CancellationError {
      return Self.response(.givenUp, to: request.method)
    } catch let rejection as Rejection {
      return Self.response(
        TableError(.badRequest, "23514", rejection.description), to: request.method)
    } catch {
      // The cause is for the operator: it may reveal rows of other clients.
      return Self.response(.failure, to: request.method)
    }
  }

  private static func response(
    _ error: TableError, to method: HTTPRequest.Method
  ) -> WireResponse {
    var response = WireResponse.tableRefusal(
      error.status, error.code, error.message, details: error.details, hint: error.hint)
    response.headers[.proxyStatus] = "PostgREST; error=\(error.code)"
    if let total = error.total {
      response.headers[.contentRange] = PageRange.header(from: 0, count: 0, total: total)
    }
    if error.status == .tooManyRequests { response.headers[.retryAfter] = "1" }
    if method == .head { response.body = [] }
    return response
  }
}
