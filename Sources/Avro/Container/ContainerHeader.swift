/// The head of an Avro object container file (Avro specification, "Object Container Files").
///
///     4F 62 6A 01            "Obj", 1
///     map of bytes           metadata: avro.schema, avro.codec, and the writer's own keys
///     16 bytes               the sync marker, which also ends every block
///
/// Metadata is UTF-8 text here: readers decode it as such.
public struct ContainerHeader: Hashable, Sendable {
  /// The metadata in the order in which it stands.
  public var metadata: [Entry]
  /// Sixteen bytes that end every block.
  public var syncMarker: [UInt8]

  /// One key of the metadata.
  public struct Entry: Hashable, Sendable {
    /// The key; those that begin `avro.` are the specification's.
    public var key: String
    /// The text.
    public var value: String

    /// Makes an entry.
    public init(_ key: String, _ value: String) {
      self.key = key
      self.value = value
    }
  }

  /// Makes a header from a schema's text and a codec, and more metadata.
  ///
  /// - Precondition: the sync marker has sixteen bytes.
  public init(schema: String, codec: Codec, metadata: [Entry] = [], syncMarker: [UInt8]) {
    precondition(syncMarker.count == 16, "a sync marker has sixteen bytes")
    self.metadata = [.init("avro.schema", schema), .init("avro.codec", codec.rawValue)] + metadata
    self.syncMarker = syncMarker
  }

  /// The metadata of a key.
  public subscript(key: String) -> String? { metadata.first { $0.key == key }?.value }

  /// The schema's text.
  public var schemaText: String { self["avro.schema"] ?? "" }

  /// The header's bytes.
  public var encoded: [UInt8] {
    var writer = BinaryWriter()
    writer.put(raw: [0x4F, 0x62, 0x6A, 0x01])
    writer.put(Int64(metadata.count))
    for entry in metadata {
      writer.put(counted: entry.key.utf8)
      writer.put(counted: entry.value.utf8)
    }
    writer.put(0)
    writer.put(raw: syncMarker)
    return writer.bytes
  }

  /// The codec.
  ///
  /// - Throws: ``AvroError/unknownCodec(_:)``.
  public func codec() throws(AvroError) -> Codec {
    let name = self["avro.codec"] ?? "null"
    guard let codec = Codec(rawValue: name) else { throw .unknownCodec(name) }
    return codec
  }

  /// Takes a header off the reader.
  ///
  /// - Throws: ``AvroError/notAContainer``, ``AvroError/truncated`` or ``AvroError/invalidText``.
  @_lifetime(reader: copy reader)
  public init(from reader: inout BinaryReader) throws(AvroError) {
    let magic: [UInt8] = [0x4F, 0x62, 0x6A, 0x01]
    for byte in magic {
      guard try reader.takeByte() == byte else { throw .notAContainer }
    }
    metadata = []
    while true {
      var count = try reader.takeLong()
      if count == 0 { break }
      if count < 0 {
        guard count > .min else { throw .invalidLength }
        count = -count
        _ = try reader.takeLong()
      }
      guard count <= Int64(reader.remaining) else { throw .truncated }
      for _ in 0..<count {
        let key = try reader.takeText()
        metadata.append(Entry(key, try reader.takeText()))
      }
    }
    syncMarker = try reader.takeBytes(16)
    guard self["avro.schema"] != nil else { throw .invalidSchema("the header has no avro.schema") }
  }
}
