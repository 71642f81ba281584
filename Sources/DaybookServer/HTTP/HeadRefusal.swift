import Avro
import DaybookAPI
import HTTPTypes
import NIOCore
import NIOHTTP1
import NIOHTTPTypes
import Wire

/// The answer to a request whose head cannot be read. Its route is unknown, so the body has the fields that clients of tables, of
/// the sign-in and of `/v1` read.
struct HeadRefusal {
  let response: WireResponse

  init(_ error: HTTPParserError) {
    let refusal: APIRefusal = error == .headerOverflow ? .headTooLong : .malformedHead
    let (code, message): (JSON, JSON) = (.string(refusal.code), .string(refusal.description))
    var response = WireResponse(
      refusal.status,
      [
        "code": code, "message": message, "error_code": code, "msg": message,
        "error": ["code": code, "message": message],
      ])
    response.headers[.connection] = "close"
    response.headers[.contentLength] = String(response.body.count)
    self.response = response
  }
}

/// Says why a request after the first could not be read. The connection's own handling answers it with an empty 400, once the
/// requests before it are answered.
final class HeadRefusalHandler: ChannelDuplexHandler {
  typealias InboundIn = HTTPRequestPart
  typealias OutboundIn = HTTPResponsePart
  typealias OutboundOut = HTTPResponsePart

  private var error: HTTPParserError?

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    if let error = error as? HTTPParserError { self.error = error }
    context.fireErrorCaught(error)
  }

  func write(
    context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?
  ) {
    guard let error, case .head(let head) = unwrapOutboundIn(data), head.status == .badRequest,
      head.headerFields[.contentLength] == "0"
    else { return context.write(data, promise: promise) }
    self.error = nil
    let refusal = HeadRefusal(error).response
    context.write(
      wrapOutboundOut(.head(HTTPResponse(status: refusal.status, headerFields: refusal.headers))),
      promise: nil)
    context.write(wrapOutboundOut(.body(ByteBuffer(bytes: refusal.body))), promise: promise)
  }
}
