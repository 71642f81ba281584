import DaybookAuth

/// A channel that a socket has joined: its subscriptions and its holder.
struct ChannelListener: Sendable {
  /// Its number among all channels of the server.
  let number: Int
  /// The schema whose tables it names.
  let schema: String
  /// Its topic, with `realtime:`.
  let topic: String
  /// The reference of its join, which messages to it repeat.
  let joinReference: String?
  /// The position of the last entry when it joined; it receives what comes after.
  let since: Int64
  /// Its subscriptions to changes of rows.
  let bindings: [ChangeBinding]
  /// The holder of its token; `nil` with the public key alone.
  var holder: Claims?
  /// Whether it receives its own broadcasts.
  let hearsItself: Bool
  /// Whether broadcasts are acknowledged.
  let isAcknowledged: Bool
  /// The length of its join message in bytes, which is kept in memory.
  let byteCount: Int
  let socket: SocketLink

  /// The cost of testing a change against all its bindings, in comparisons.
  var weight: Int { bindings.reduce(0) { $0 + $1.weight } }
}
