public import HTTPTypes

/// Sends requests to other servers: keys of Apple's and Google's, Stripe, push services. Tests put their own here.
public protocol Outbound: Sendable {
  /// Sends a request, and waits for the answer; redirects are not followed.
  ///
  /// - Parameters:
  ///   - method: The method.
  ///   - url: An absolute address.
  ///   - headers: The headers.
  ///   - body: The body; empty for none.
  /// - Returns: What was answered, whatever the status.
  /// - Throws: ``OutboundFailure`` when there was no answer.
  func send(
    _ method: HTTPRequest.Method, _ url: String, headers: HTTPFields, body: [UInt8]
  ) async throws(OutboundFailure) -> WireResponse
}

/// Another server could not be asked.
public struct OutboundFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// Why, in one sentence.
  public let description: String

  public init(_ description: String) { self.description = description }
}
