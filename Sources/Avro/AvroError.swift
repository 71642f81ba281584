/// A reason why bytes or a schema could not be read as Avro.
public enum AvroError: Error, Hashable, Sendable {
  /// The bytes end inside a value.
  case truncated
  /// A variable-length number has more than ten bytes, or more bits than its type.
  case numberTooLarge
  /// A length or count is negative, or larger than the number of bytes that follow.
  case invalidLength
  /// A boolean byte is neither 0 nor 1.
  case invalidBoolean
  /// A string is not valid UTF-8.
  case invalidText
  /// The schema's union has no branch with this number.
  case unknownBranch(Int)
  /// The schema's enumeration has no symbol with this number.
  case unknownSymbol(Int)
  /// A value is outside the range of its type, which is named.
  case valueOutOfRange(StaticText)
  /// Bytes follow the last value.
  case trailingBytes
  /// The container does not begin with `Obj` and 1.
  case notAContainer
  /// The bytes do not begin with the marker and the fingerprint of a single object.
  case notASingleObject
  /// No known schema has this fingerprint.
  case unknownFingerprint(UInt64)
  /// The container's codec is neither `null` nor `zstandard`.
  case unknownCodec(String)
  /// The container's header repeats a key; the associated value is the beginning of the key.
  case repeatedKey(String)
  /// A block does not end with the container's sync marker.
  case syncMarkerMismatch
  /// A block does not decompress, or its checksum is wrong.
  case damagedBlock(String)
  /// The schema is not valid Avro, for the given reason.
  case invalidSchema(String)
  /// Data written with one schema cannot be read with another, for the given reason.
  case schemaMismatch(String)
  /// The data exceeds a limit on levels, bytes, items or types.
  case limitExceeded(AvroLimit)

  /// A short constant text, cheap to throw.
  public struct StaticText: Hashable, Sendable, CustomStringConvertible {
    let text: StaticString
    @usableFromInline init(_ text: StaticString) { self.text = text }
    /// The text.
    public var description: String { "\(text)" }
    /// Whether two texts are equal.
    public static func == (left: StaticText, right: StaticText) -> Bool {
      left.description == right.description
    }
    /// Hashes the text.
    public func hash(into hasher: inout Hasher) { hasher.combine(description) }
  }

  /// A value of the named type is outside what the type allows.
  @inlinable
  public static func outOfRange(_ type: StaticString) -> AvroError {
    .valueOutOfRange(StaticText(type))
  }
}

extension AvroError: CustomStringConvertible {
  /// The error's description, worded as the end of a sentence.
  public var description: String {
    switch self {
    case .truncated: "the bytes end inside a value"
    case .numberTooLarge: "a number is too large for its type"
    case .invalidLength: "a length does not fit the bytes that follow"
    case .invalidBoolean: "a boolean is neither 0 nor 1"
    case .invalidText: "a string is not valid UTF-8"
    case .unknownBranch(let branch): "the schema has no union branch \(branch)"
    case .unknownSymbol(let symbol): "the schema has no enumeration symbol \(symbol)"
    case .valueOutOfRange(let type): "a value is outside what \(type) allows"
    case .trailingBytes: "bytes are left after the last value"
    case .notAContainer: "this is not an Avro container file"
    case .notASingleObject: "this is not a single object of Avro"
    case .unknownFingerprint(let fingerprint):
      "no schema that is known has the fingerprint \(String(fingerprint, radix: 16))"
    case .unknownCodec(let codec):
      "the codec \"\(codec)\" is not supported (only \(Codec.list))"
    case .repeatedKey(let key): "the header says \"\(key)\" twice"
    case .syncMarkerMismatch: "a block does not end with the file's sync marker"
    case .damagedBlock(let reason): "a block does not decompress: \(reason)"
    case .invalidSchema(let reason): "the schema is not valid: \(reason)"
    case .schemaMismatch(let reason): "the schemas do not fit: \(reason)"
    case .limitExceeded(let limit): limit.description
    }
  }
}
