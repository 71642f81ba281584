package import Avro
import Crypto

extension ContainerHeader {
  /// Makes a header that checks itself: its sync marker is the start of the SHA-256 of everything
  /// before it.
  package init(checkedSchema schema: String, codec: Codec, metadata: [Entry]) {
    self.init(
      schema: schema, codec: codec, metadata: metadata,
      syncMarker: [UInt8](repeating: 0, count: 16))
    syncMarker = Self.checkedMarker(of: encoded[...])
  }

  /// The marker for a header with these bytes.
  package static func checkedMarker(of bytes: ArraySlice<UInt8>) -> [UInt8] {
    Array(SHA256.hash(data: Array(bytes.dropLast(16))).prefix(16))
  }
}
