/// An Avro schema (Avro specification 1.12, "Schema Declaration").
///
/// Named types stand in full wherever they are used; writing them as JSON defines each at its first use
/// and names it afterwards. All that a schema's JSON says is kept, so that it is written as it was read: also
/// attributes that mean nothing here.
public indirect enum Schema: Hashable, Sendable {
  /// A primitive type, perhaps read as a logical type (`date`, `timestamp-millis`, …).
  case primitive(Primitive, Annotations = .none)
  /// A list of values.
  case array(Schema, Annotations = .none)
  /// Text keys with values.
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

  /// The types without structure.
  public enum Primitive: String, Sendable, CaseIterable {
    case null, boolean, int, long, float, double, bytes, string
  }

  /// What is said of a type that has no name.
  public struct Annotations: Hashable, Sendable {
    /// What the values mean.
    public var logicalType: String?
    /// All else, such as the precision and the scale of a decimal.
    public var attributes: [JSON.Member]

    /// Makes annotations.
    public init(logicalType: String? = nil, attributes: [JSON.Member] = []) {
      self.logicalType = logicalType
      self.attributes = attributes
    }

    /// Nothing is said.
    public static let none = Annotations()
  }

  /// A record: named fields in order.
  public struct Record: Hashable, Sendable {
    /// The full name.
    public var name: String
    /// Other full names under which older files know it.
    public var aliases: [String] = []
    /// What it is for.
    public var doc: String?
    /// The fields in the order of their bytes.
    public var fields: [Field]
    /// Whether a protocol declares it as an error; its bytes are a record's.
    public var isError = false
    /// What else is said of it.
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
    /// What a reader takes when the writer had no such field.
    public var defaultValue: JSON?
    /// Other names under which older files know it.
    public var aliases: [String]
    /// What it is for, with units.
    public var doc: String?
    /// Whether it says something about a person, and is blanked when that person's account is erased.
    public var isPersonal: Bool
    /// How it counts where records are sorted, if the schema says so.
    public var order: Order?
    /// What else is said of it.
    public var attributes: [JSON.Member] = []

    /// How a field counts where records are sorted.
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
    /// Other full names under which older files know it.
    public var aliases: [String] = []
    /// The symbols; a value is a symbol's number from 0.
    public var symbols: [String]
    /// The symbol that a reader takes for one it does not know.
    public var defaultSymbol: String?
    /// What it is for.
    public var doc: String?
    /// What else is said of it.
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
    /// Other full names under which older files know it.
    public var aliases: [String] = []
    /// How many bytes.
    public var byteCount: Int
    /// The logical type, such as `uuid`.
    public var logicalType: String?
    /// What else is said of it, such as the precision and the scale of a decimal.
    public var attributes: [JSON.Member] = []

    public init(name: String, aliases: [String] = [], byteCount: Int, logicalType: String? = nil) {
      self.name = name
      self.aliases = aliases
      self.byteCount = byteCount
      self.logicalType = logicalType
    }
  }

  /// A primitive type that is read as a logical type.
  public static func primitive(_ primitive: Primitive, logicalType: String?) -> Schema {
    .primitive(primitive, Annotations(logicalType: logicalType))
  }

  /// Whether this is the type of null, whatever else is said of it.
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

  /// Other full names under which older files know the type, if it is named.
  public var aliases: [String] {
    switch self {
    case .record(let record): record.aliases
    case .enumeration(let enumeration): enumeration.aliases
    case .fixed(let fixed): fixed.aliases
    default: []
    }
  }
}
