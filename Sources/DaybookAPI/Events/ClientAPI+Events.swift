import Daybook
import DaybookStore
import HTTPTypes
public import Values
public import Wire

extension ClientAPI {
  /// The events of an account, for `GET events`: after the position that `Last-Event-ID` or `after` says, or all.
  ///
  /// - Parameters:
  ///   - request: What is asked.
  ///   - account: The key of the account that signed in; nothing when nobody did.
  /// - Returns: The stream, which is answered with the headers ``EventStream/headers``.
  /// - Throws: ``APIRefusal``, whose ``APIRefusal/response`` is answered instead.
  public func events(
    _ request: WireRequest, for account: Key?
  ) throws(APIRefusal) -> EventStream {
    do {
      guard try Endpoint(of: request) == .events else { throw APIRefusal.noSuchPath }
      let asker = try signedIn(account)
      let feed = EventFeed(book: book, account: asker, position: try Self.position(request))
      return EventStream(feed: feed, heartbeat: heartbeat)
    } catch {
      throw APIRefusal(error)
    }
  }

  /// After which position: a client that lost its connection says it in a header, and that counts then.
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
