import AsyncHTTPClient
import HTTPTypes
import NIOCore
import NIOHTTP1
import Wire

/// Sends requests to other servers over HTTPS, with HTTP/2 where they support it.
struct HTTPOutbound: Outbound {
  /// The longest answer that is read, in bytes.
  static let answerByteLimit = 1 << 20
  private let client: HTTPClient
  private let seconds: Int64

  init(seconds: Int64 = 15) {
    var configuration = HTTPClient.Configuration()
    configuration.redirectConfiguration = .disallow
    configuration.timeout.connect = .seconds(5)
    client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    self.seconds = seconds
  }

  /// Closes all connections; nothing may be sent afterwards.
  func shutDown() async { try? await client.shutdown() }

  func send(
    _ method: HTTPRequest.Method, _ url: String, headers: HTTPFields, body: [UInt8]
  ) async throws(OutboundFailure) -> WireResponse {
    var request = HTTPClientRequest(url: url)
    request.method = NIOHTTP1.HTTPMethod(rawValue: method.rawValue)
    for field in headers { request.headers.add(name: field.name.rawName, value: field.value) }
    if !body.isEmpty { request.body = .bytes(ByteBuffer(bytes: body)) }
    do {
      let response = try await client.execute(request, timeout: .seconds(seconds))
      let bytes = try await response.body.collect(upTo: Self.answerByteLimit)
      var fields = HTTPFields()
      for (name, value) in response.headers {
        if let name = HTTPField.Name(name) { fields.append(HTTPField(name: name, value: value)) }
      }
      return WireResponse(
        HTTPResponse.Status(code: Int(response.status.code)), headers: fields,
        body: Array(bytes.readableBytesView))
    } catch {
      // The address may contain a secret, so it is left out.
      throw OutboundFailure("Another server did not answer: \(type(of: error)).")
    }
  }
}
