import Hummingbird
import NIOCore

/// What is known of a request besides what it says.
struct ServerContext: RequestContext {
  var coreContext: CoreRequestContextStorage
  /// The address from which the connection came.
  let address: String?
  /// The connection.
  let channel: any Channel

  init(source: ApplicationRequestContextSource) {
    coreContext = CoreRequestContextStorage(source: source)
    channel = source.channel
    address = channel.remoteAddress?.ipAddress
  }
}
