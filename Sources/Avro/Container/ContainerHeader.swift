/// The head of an Avro object container file (Avro specification, "Object Container Files").
///
///     4F 62 6A 01            "Obj", 1
///     map of bytes           metadata: avro.schema, avro.codec, and the writer's own keys
///     16 bytes               the sync marker, which also ends every block
///
/// Keys are text. Values are bytes and need not be text: they are kept as they are, and decoded as text only
/// on request.
public struct ContainerHeader: Hashable, Sendable {
  /// The metadata, in the order of the file.
  public var metadata: [Entry]
  /// The sixteen bytes that end every block.
  public var syncMarker: [UInt8]

  /// One key of the metadata.
  public struct Entry: Hashable, Sendable {
    /// The key; the specification reserves those that begin with `avro.`.
    public var key: String
    /// The value.
    public var value: [UInt8]

    public init(_ key: String, bytes: [UInt8]) {
      self.key = key
      value = bytes
    }

    /// Makes an entry of text, as UTF-8.
    public init(_ key: String, _ text: String) { self.init(key, bytes: Array(text.utf8)) }

    /// The value as text; `nil` when it is not UTF-8.
    public var text: String? { String(validating: value, as: UTF8.self) }
  }

  /// Makes a header from a schema's text, a codec, and further metadata.
  ///
  /// - Precondition: the sync marker has sixteen bytes.
  public init(schema: String, codec: Codec, metadata: [Entry] = [], syncMarker: [UInt8]) {
    precondition(syncMarker.count == 16, "a sync marker has sixteen bytes")
    self.metadata = [.init("avro.schema", schema), .init("avro.codec", codec.rawValue)] + metadata
    self.syncMarker = syncMarker
  }

  /// The value of a key as text; `nil` when there is none, or when it is not UTF-8.
  public subscript(key: String) -> String? { entry(key)?.text }

  private func entry(_ key: String) -> Entry? { metadata.first { $0.key == key } }

  /// The schema's text.
  public var schemaText: String { self["avro.schema"] ?? "" }

  /// The header's bytes.
  public var encoded: [UInt8] {
    var writer = BinaryWriter()
    writer.put(raw: [0x4F, 0x62, 0x6A, 0x01])
    writer.put(Int64(metadata.count))
    for entry in metadata {
      writer.put(counted: entry.key.utf8)
      writer.put(counted: entry.value)
    }
    writer.put(0)
    writer.put(raw: syncMarker)
    return writer.bytes
  }

  /// The codec.
  ///
  /// - Throws: ``AvroError/unknownCodec(_:)``.
  public func codec() throws(AvroError) -> Codec {
    guard let entry = entry("avro.codec") else { return .null }
    guard let codec = entry.text.flatMap(Codec.init) else {
      throw .unknownCodec(String(decoding: entry.value.prefix(40), as: UTF8.self))
    }
    return codec
  }

  /// Takes a header from the reader.
  ///
  /// - Throws: ``AvroError/notAContainer``, ``AvroError/truncated``, ``AvroError/invalidLength``,
  ///   ``AvroError/invalidText`` when a key or the schema is not UTF-8, ``AvroError/repeatedKey(_:)`` when a
  ///   key occurs twice, or ``AvroError/invalidSchema(_:)`` when there is no schema.
  @_lifetime(reader: copy reader)
  public init(from reader: inout BinaryReader) throws(AvroError) {
    let magic: [UInt8] = [0x4F, 0x62, 0x6A, 0x01]
    for byte in magic {
      guard try reader.takeByte() == byte else { throw .notAContainer }
    }
    metadata = []
    // Readers differ in which of two values they use, so a repeated key could give each a different file.
    var keys: Set<String> = []
    while let block = try reader.takeBlock() {
      // Each entry has at least two lengths.
      guard block.count <= reader.remaining / 2 else { throw .truncated }
      for _ in 0..<block.count {
        let key = try reader.takeText()
        guard keys.insert(key).inserted else { throw .repeatedKey(String(key.prefix(40))) }
        metadata.append(Entry(key, bytes: try reader.takeBytes(try reader.takeLength())))
      }
    }
    syncMarker = try reader.takeBytes(16)
    guard let schema = entry("avro.schema") else {
      throw .invalidSchema("the header has no avro.schema")
    }
    guard schema.text != nil else { throw .invalidText }
  }
}
