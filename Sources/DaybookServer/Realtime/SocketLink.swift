import Avro
import NIOCore
import NIOWebSocket

/// Sends messages to a socket from any thread; they are written in the order of sending.
struct SocketLink: Sendable {
  let version: PhoenixFrame.Version
  private let handler: NIOLoopBound<SocketHandler>
  private let eventLoop: any EventLoop

  init(_ handler: SocketHandler, _ version: PhoenixFrame.Version, on eventLoop: any EventLoop) {
    self.version = version
    self.handler = NIOLoopBound(handler, eventLoop: eventLoop)
    self.eventLoop = eventLoop
  }

  func send(_ frame: PhoenixFrame) {
    let text = frame.encoded(version)
    eventLoop.execute { handler.value.write(text) }
  }

  /// Disconnects a client that missed changes; it joins again by itself, and pulls.
  func disconnect(_ reason: String) {
    eventLoop.execute { handler.value.disconnect(reason) }
  }

  /// Sends a change of a row, unless the channel was left or may no longer receive it.
  func send(_ channel: ChannelListener, ids: [Int64], _ data: [UInt8]) {
    var writer = JSONWriter()
    // Clients of the first version would mistake the join's reference for that of a reply.
    let joinReference = version == .second ? channel.joinReference : nil
    PhoenixFrame.write(
      to: &writer, version, joinReference: joinReference, reference: nil, channel.topic,
      "postgres_changes"
    ) { writer in
      writer.object { writer in
        writer.name("ids")
        writer.array { writer in for id in ids { writer.number(id) } }
        writer.name("data")
        writer.written(data)
      }
    }
    let text = writer.bytes
    eventLoop.execute { handler.value.deliver(text, to: channel) }
  }
}
