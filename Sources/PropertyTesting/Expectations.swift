/// The error that a body throws when the property does not hold.
public struct Falsified: Error, CustomStringConvertible, Sendable {
  /// The expected and the actual result.
  public let message: String
  /// The file, as `Module/File.swift`.
  public let fileID: String
  /// The line in the file.
  public let line: Int

  public init(_ message: String, fileID: String = #fileID, line: Int = #line) {
    self.message = message
    self.fileID = fileID
    self.line = line
  }

  /// The message and the place.
  public var description: String { "\(message) (\(fileID):\(line))" }
}

/// Falsifies a property whose body returned `false`.
struct ReturnedFalse: Error, CustomStringConvertible {
  var description: String { "the body returned false" }
}

/// Falsifies a property whose body returned sentences, some of them false.
struct FalseSentences: Error, CustomStringConvertible {
  /// The false sentences in alphabetical order; never empty.
  let sentences: [String]

  var description: String {
    sentences.map { "“\($0)” is false" }.joined(separator: ", ")
  }
}

/// Thrown to discard a case that says nothing about the property.
public struct Discard: Error, CustomStringConvertible, Sendable {
  /// The reason; the report of a run that gives up shows the most common one.
  public let reason: String

  public init(_ reason: String) {
    self.reason = reason
  }

  /// The reason.
  public var description: String { reason }
}

/// Falsifies the property unless the condition is true.
///
/// - Throws: ``Falsified``.
public func expect(
  _ condition: Bool, _ message: @autoclosure () -> String = "the expectation is not met",
  fileID: String = #fileID, line: Int = #line
) throws {
  guard condition else { throw Falsified(message(), fileID: fileID, line: line) }
}

/// Falsifies the property unless both values are equal.
///
/// - Throws: ``Falsified`` with both values in its message.
public func expectEqual<Value: Equatable>(
  _ found: Value, _ expected: Value, _ message: @autoclosure () -> String = "",
  fileID: String = #fileID, line: Int = #line
) throws {
  guard found != expected else { return }
  let prefix = message().isEmpty ? "" : message() + ": "
  throw Falsified(
    "\(prefix)expected \(describe(expected)), found \(describe(found))",
    fileID: fileID, line: line)
}

/// Discards the case unless the condition is true.
///
/// - Throws: ``Discard``.
public func assume(_ condition: Bool, _ reason: String = "an assumption did not hold") throws {
  guard condition else { throw Discard(reason) }
}
