import DaybookAuth

/// A channel that a socket has joined: what it is told, and on whose behalf.
struct ChannelListener: Sendable {
  /// Its number among all channels of the server.
  let number: Int
  /// The schema whose tables it names.
  let schema: String
  /// Its topic, with `realtime:`.
  let topic: String
  /// The reference of its join, which what is sent to it repeats.
  let joinReference: String?
  /// The position of the last entry when it joined: what it hears comes after it.
  let since: Int64
  /// What it wants to hear of rows.
  let bindings: [ChangeBinding]
  /// On whose behalf; nobody's with the public key alone.
  var holder: Claims?
  /// Whether its own broadcasts come back to it.
  let hearsItself: Bool
  /// Whether broadcasts are acknowledged.
  let isAcknowledged: Bool
  /// How long the message was that joined it, in bytes: so much of it is kept.
  let byteCount: Int
  let socket: SocketLink

  /// What it costs to tell which changes it wants to hear, as so many comparisons.
  var weight: Int { bindings.reduce(0) { $0 + $1.weight } }
}
