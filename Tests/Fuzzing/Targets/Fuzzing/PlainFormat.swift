public import Avro

/// Every value as its plain type: no logical type has a form of its own.
public struct PlainFormat: LogicalFormat {
  /// Makes the format.
  public init() {}
  /// None of its own.
  public func json(of number: Int64, as logicalType: String) -> JSON? { nil }
  /// None of its own.
  public func json(of bytes: [UInt8], as logicalType: String) -> JSON? { nil }
  /// None of its own.
  public func number(of json: JSON, as logicalType: String) -> Int64? { nil }
  /// None of its own.
  public func bytes(of json: JSON, as logicalType: String) -> [UInt8]? { nil }
}
