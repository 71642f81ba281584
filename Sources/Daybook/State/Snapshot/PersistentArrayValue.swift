public import Avro

extension PersistentArray: AvroValue where Element: AvroValue {
  /// The same as an array's.
  public static var schema: Schema { [Element].schema }
  /// The empty list.
  public static var absentValue: JSON? { [Element].absentValue }

  /// Reads the blocks of an array.
  @_lifetime(reader: copy reader)
  public init(from reader: inout BinaryReader) throws(AvroError) {
    self.init(try [Element](from: &reader))
  }

  /// Appends the blocks of an array.
  public func write(to writer: inout BinaryWriter) { Array(self).write(to: &writer) }
}
