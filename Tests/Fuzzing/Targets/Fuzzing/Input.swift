/// The fuzzer's bytes, taken from the front.
public struct Input {
  /// The remaining bytes.
  public private(set) var rest: ArraySlice<UInt8>

  /// Copies libFuzzer's bytes.
  public init(_ start: UnsafePointer<UInt8>?, count: Int) {
    rest = Array(UnsafeBufferPointer(start: start, count: count))[...]
  }

  /// The next byte; `nil` at the end.
  public mutating func takeByte() -> UInt8? { rest.popFirst() }

  /// Up to `count` bytes.
  public mutating func take(_ count: Int) -> [UInt8] {
    defer { rest = rest.dropFirst(count) }
    return Array(rest.prefix(count))
  }

  /// The bytes up to the next `separator`, which is skipped, or to the end; `nil` when none are left.
  public mutating func take(upTo separator: UInt8) -> [UInt8]? {
    guard !rest.isEmpty else { return nil }
    let end = rest.firstIndex(of: separator) ?? rest.endIndex
    defer { rest = rest[end...].dropFirst() }
    return Array(rest[..<end])
  }
}

/// Stops the fuzzer, which then keeps the input in a file, unless the condition holds.
public func hold(_ condition: Bool, _ message: @autoclosure () -> String) {
  if !condition { fatalError(message()) }
}

/// Runs what must not throw.
public func succeed<Result>(_ what: String, _ body: () throws -> Result) -> Result {
  do { return try body() } catch { fatalError("\(what): \(error)") }
}
