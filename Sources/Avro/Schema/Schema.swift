/// An Avro schema (Avro specification 1.12, "Schema Declaration").
///
/// In memory, a named type is expanded wherever it is used. In JSON, it is defined at its first use and
/// referred to by name afterwards. Unknown attributes are kept, so that a schema is written as it was read.
public indirect enum Schema: Hashable, Sendable {
  /// A primitive type, possibly with a logical type (`date`, `timestamp-millis`, …).
  case primitive(Primitive, Annotations = .none)
  /// A list of values.
  case array(Schema, Annotations = .none)
  /// Values with text keys.
  case map(Schema, Annotations = .none)
  /// One of several types.
  case union([Schema])
  /// Named fields in order.
  case record(Record)
  /// One of a list of symbols.
  case enumeration(Enumeration)
  /// A fixed number of bytes.
  case fixed(Fixed)
  /// A named type that encloses this one (recursion), by its full name.
  case reference(String)

  /// The types that contain no other types.
  public enum Primitive: String, Sendable, CaseIterable {
    case null, boolean, int, long, float, double, bytes, string
  }

  /// The annotations of an unnamed type.
  public struct Annotations: Hashable, Sendable {
    /// The logical type of the values.
    public var logicalType: String?
    /// All other attributes, such as the precision and scale of a decimal.
    public var attributes: [JSON.Member]

    /// Makes annotations.
    public init(logicalType: String? = nil, attributes: [JSON.Member] = []) {
      self.logicalType = logicalType
      self.attributes = attributes
    }

    /// No annotations.
    public static let none = Annotations()
  }

  /// A record: named fields in order.
  public struct Record: Hashable, Sendable {
    /// The full name.
    public var name: String
    /// Other full names, under which older files know the record.
    public var aliases: [String] = []
    /// The purpose of the record.
    public var doc: String?
    /// The fields in the order of their bytes.
    public var fields: [Field]
    /// Whether a protocol declares the record as an error; it is encoded like any record.
    public var isError = false
    /// Other attributes.
    public var attributes: [JSON.Member] = []

    public init(name: String, aliases: [String] = [], doc: String? = nil, fields: [Field]) {
      self.name = name
      self.aliases = aliases
      self.doc = doc
      self.fields = fields
    }
  }

  /// A field of a record.
  public struct Field: Hashable, Sendable {
    /// The name.
    public var name: String
    /// The type.
    public var schema: Schema
    /// The value that a reader uses if the writer's schema lacks the field.
    public var defaultValue: JSON?
    /// Other names, under which older files know the field.
    public var aliases: [String]
    /// The purpose of the field, with units.
    public var doc: String?
    /// Whether the field holds personal data, and is blanked when that person's account is erased.
    public var isPersonal: Bool
    /// How the field contributes to the sort order of records, if the schema says so.
    public var order: Order?
    /// Other attributes.
    public var attributes: [JSON.Member] = []

    /// How a field contributes to the sort order of records.
    public enum Order: String, Sendable, CaseIterable {
      case ascending, descending, ignore
    }

    public init(
      name: String, schema: Schema, defaultValue: JSON? = nil, aliases: [String] = [],
      doc: String? = nil, isPersonal: Bool = false
    ) {
      self.name = name
      self.schema = schema
      self.defaultValue = defaultValue
      self.aliases = aliases
      self.doc = doc
      self.isPersonal = isPersonal
    }
  }

  /// An enumeration: one of a list of symbols.
  public struct Enumeration: Hashable, Sendable {
    /// The full name.
    public var name: String
    /// Other full names, under which older files know the enumeration.
    public var aliases: [String] = []
    /// The symbols; a value is the index of a symbol, from 0.
    public var symbols: [String]
    /// The symbol that a reader uses in place of one that it does not know.
    public var defaultSymbol: String?
    /// The purpose of the enumeration.
    public var doc: String?
    /// Other attributes.
    public var attributes: [JSON.Member] = []

    public init(
      name: String, aliases: [String] = [], doc: String? = nil, symbols: [String],
      defaultSymbol: String? = nil
    ) {
      self.name = name
      self.aliases = aliases
      self.doc = doc
      self.symbols = symbols
      self.defaultSymbol = defaultSymbol
    }
  }

  /// A fixed number of bytes.
  public struct Fixed: Hashable, Sendable {
    /// The full name.
    public var name: String
    /// Other full names, under which older files know the type.
    public var aliases: [String] = []
    /// The number of bytes.
    public var byteCount: Int
    /// The logical type, such as `uuid`.
    public var logicalType: String?
    /// Other attributes, such as the precision and scale of a decimal.
    public var attributes: [JSON.Member] = []

    public init(name: String, aliases: [String] = [], byteCount: Int, logicalType: String? = nil) {
      self.name = name
      self.aliases = aliases
      self.byteCount = byteCount
      self.logicalType = logicalType
    }
  }

  /// A primitive type with a logical type.
  public static func primitive(_ primitive: Primitive, logicalType: String?) -> Schema {
    .primitive(primitive, Annotations(logicalType: logicalType))
  }

  /// Whether this is the null type, whatever its annotations.
  public var isNull: Bool {
    if case .primitive(.null, _) = self { true } else { false }
  }

  /// The full name, if the type is named.
  public var name: String? {
    switch self {
    case .record(let record): record.name
    case .enumeration(let enumeration): enumeration.name
    case .fixed(let fixed): fixed.name
    case .reference(let name): name
    default: nil
    }
  }

  /// Other full names, under which older files know the type, if it is named.
  public var aliases: [String] {
    switch self {
    case .record(let record): record.aliases
    case .enumeration(let enumeration): enumeration.aliases
    case .fixed(let fixed): fixed.aliases
    default: []
    }
  }
}
