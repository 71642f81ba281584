public import Avro
public import HTTPTypes

/// The answer of a part of the server.
public struct WireResponse: Sendable {
  /// The status.
  public var status: HTTPResponse.Status
  /// The headers.
  public var headers: HTTPFields
  /// The body; empty for none.
  public var body: [UInt8]

  public init(
    _ status: HTTPResponse.Status, headers: HTTPFields = HTTPFields(), body: [UInt8] = []
  ) {
    self.status = status
    self.headers = headers
    self.body = body
  }

  public init(_ status: HTTPResponse.Status, _ json: JSON) {
    self.init(
      status, headers: [.contentType: "application/json; charset=utf-8"],
      body: Array(json.encoded.utf8))
  }
}
