public import Avro

/// One of a few words: its form in JSON is the word.
public protocol ChoiceForm: TextForm, CaseIterable, RawRepresentable where RawValue == String {}

extension ChoiceForm {
  /// "one of" its words.
  public static var jsonWords: String {
    "one of \(allCases.map(\.rawValue).joined(separator: ", "))"
  }
  /// Its words.
  public static var jsonSchema: JSON { ["enum": .array(allCases.map { .string($0.rawValue) })] }
  /// The first two.
  public static var examples: (Self, Self) {
    let first = allCases[allCases.startIndex]
    return (first, allCases.dropFirst().first ?? first)
  }
  /// Reads a word.
  public init?(formText: String) { self.init(rawValue: formText) }
  /// The word.
  public var formText: String { rawValue }
}
