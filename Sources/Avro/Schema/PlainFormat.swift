extension LogicalFormat {
  /// `nil`: the value stays a plain number.
  public func json(of number: Int64, as logicalType: String) -> JSON? { nil }
  /// `nil`: the value stays plain bytes.
  public func json(of bytes: [UInt8], as logicalType: String) -> JSON? { nil }
  /// `nil`: the value stays a plain number.
  public func number(of json: JSON, as logicalType: String) -> Int64? { nil }
  /// `nil`: the value stays plain bytes.
  public func bytes(of json: JSON, as logicalType: String) -> [UInt8]? { nil }
}

/// Formats every value as its plain type, ignoring logical types: numbers as numbers, bytes as code points.
public struct PlainFormat: LogicalFormat {
  public init() {}
}
