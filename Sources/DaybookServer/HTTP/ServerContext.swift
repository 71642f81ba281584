import Hummingbird
import NIOCore

/// What the server knows of a request besides its content.
struct ServerContext: RequestContext {
  var coreContext: CoreRequestContextStorage
  /// The address of the connection's other side.
  let address: String?
  let channel: any Channel

  init(source: ApplicationRequestContextSource) {
    coreContext = CoreRequestContextStorage(source: source)
    channel = source.channel
    address = channel.remoteAddress?.ipAddress
  }
}
