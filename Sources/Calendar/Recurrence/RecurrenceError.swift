/// A reason why a text is not a recurrence rule: the offending part, what is wrong with it, and where RFC
/// 5545 says so.
public struct RecurrenceError: Error, Hashable, Sendable {
  /// The kind of fault.
  public let fault: Fault
  /// The part as it was written, in capitals, at most 60 characters of it.
  public let part: String
  /// What the part should be, as a sentence without capital and full stop.
  public let reason: String
  /// The section of RFC 5545 that requires it.
  public let section: String?

  /// The kinds of fault, with stable codes.
  public enum Fault: String, Hashable, Sendable, CaseIterable {
    /// FREQ is missing.
    case missingFrequency = "missing_frequency"
    /// RFC 5545 defines no such part.
    case unknownPart = "unknown_part"
    /// The part occurs twice.
    case repeatedPart = "repeated_part"
    /// A part, a list or an item of it is empty.
    case empty
    /// The value is malformed.
    case malformed
    /// The number is too small or too large.
    case outOfRange = "out_of_range"
    /// The part is not allowed with this FREQ.
    case wrongFrequency = "wrong_frequency"
    /// The part is not allowed together with another one.
    case contradiction
    /// The part needs another one.
    case incomplete
    /// The rule repeats within a day where that is not allowed.
    case tooFine = "too_fine"
  }

  package init(
    _ fault: Fault, _ part: some StringProtocol, _ reason: String, _ section: String? = "3.3.10"
  ) {
    self.fault = fault
    let shown = part.unicodeScalars.prefix(60).map {
      $0.properties.generalCategory == .control ? "\u{FFFD}" : Character($0)
    }
    self.part = String(shown)
    self.reason = reason
    self.section = section
  }
}

extension RecurrenceError: CustomStringConvertible {
  /// A sentence: `BYWEEKNO=20: it needs FREQ=YEARLY (RFC 5545, 3.3.10).`
  public var description: String { "\(words)." }

  /// The same text for use within a sentence.
  package var words: String {
    let source = section.map { " (RFC 5545, \($0))" } ?? ""
    return "\(part.isEmpty ? "The rule" : part): \(reason)\(source)"
  }
}
