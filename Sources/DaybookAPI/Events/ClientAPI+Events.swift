import Daybook
import DaybookStore
import HTTPTypes
public import Values
public import Wire

extension ClientAPI {
  /// The events of an account, for `GET events`: all, or those after the position in `Last-Event-ID` or `after`.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - account: The key of the account that signed in; `nil` if nobody did.
  /// - Returns: The stream, to be answered with the headers ``EventStream/headers``.
  /// - Throws: ``APIRefusal``; the answer is then its ``APIRefusal/response``.
  public func events(
    _ request: WireRequest, for account: Key?
  ) throws(APIRefusal) -> EventStream {
    do {
      guard try Endpoint(of: request, withTools: tools != nil) == .events else {
        throw APIRefusal.noSuchPath
      }
      let asker = try signedIn(account)
      let feed = EventFeed(book: book, account: asker, position: try Self.position(request))
      return EventStream(feed: feed, heartbeat: heartbeat)
    } catch {
      throw APIRefusal(error)
    }
  }

  /// The position to start after. The header of a client that lost its connection takes precedence.
  private static func position(_ request: WireRequest) throws(APIRefusal) -> Int64 {
    if let other = request.query.items.first(where: { $0.name != "after" }) {
      throw .invalid(other.name, "events have no such field")
    }
    let header = request.headers.first("last-event-id").map { ($0, "Last-Event-ID") }
    guard let (text, field) = header ?? request.query["after"].map({ ($0, "after") }) else {
      return 0
    }
    guard let position = Int64(text), position >= 0 else {
      throw .invalid(field, "\"\(text)\" is not a position")
    }
    return position
  }
}
