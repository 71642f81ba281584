public import HTTPTypes

/// Sends requests to other servers: for Apple's and Google's keys, to Stripe, to push services. Tests have their
/// own.
public protocol Outbound: Sendable {
  /// Sends a request and waits for the answer, without following redirects.
  ///
  /// - Parameters:
  ///   - method: The method.
  ///   - url: An absolute address.
  ///   - headers: The headers.
  ///   - body: The body; empty for none.
  /// - Returns: The answer, whatever its status.
  /// - Throws: ``OutboundFailure`` if there was no answer.
  func send(
    _ method: HTTPRequest.Method, _ url: String, headers: HTTPFields, body: [UInt8]
  ) async throws(OutboundFailure) -> WireResponse
}

/// A failure to reach another server.
public struct OutboundFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// The reason, in one sentence.
  public let description: String

  public init(_ description: String) { self.description = description }
}
