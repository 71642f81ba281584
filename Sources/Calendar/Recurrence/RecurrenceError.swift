/// Why a text is no recurrence rule: the part that offends, what is wrong with it, and where RFC 5545 says so.
public struct RecurrenceError: Error, Hashable, Sendable {
  /// What is wrong.
  public let fault: Fault
  /// The part as it was written but in capitals, at most 60 characters of it.
  public let part: String
  /// What it should be, as a sentence without its capital and its stop.
  public let reason: String
  /// The section of RFC 5545 that says so.
  public let section: String?

  /// The kinds of fault, with stable codes.
  public enum Fault: String, Hashable, Sendable, CaseIterable {
    /// FREQ is not there.
    case missingFrequency = "missing_frequency"
    /// RFC 5545 has no such part.
    case unknownPart = "unknown_part"
    /// The part is there twice.
    case repeatedPart = "repeated_part"
    /// Something is left empty: a part, a list or an item of it.
    case empty
    /// The value is not written as it must be.
    case malformed
    /// The number is too small or too large.
    case outOfRange = "out_of_range"
    /// The part cannot stand with this FREQ.
    case wrongFrequency = "wrong_frequency"
    /// The part cannot stand with another one.
    case contradiction
    /// The part cannot stand alone.
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

  /// The same within a sentence.
  package var words: String {
    let source = section.map { " (RFC 5545, \($0))" } ?? ""
    return "\(part.isEmpty ? "The rule" : part): \(reason)\(source)"
  }
}
