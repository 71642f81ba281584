package import Avro

/// One of a few words: its form in JSON is the word.
package protocol ChoiceForm: TextForm, CaseIterable, RawRepresentable where RawValue == String {}

extension ChoiceForm {
  /// "one of" its words.
  package static var jsonWords: String {
    "one of \(allCases.map(\.rawValue).joined(separator: ", "))"
  }
  /// Its words.
  package static var jsonSchema: JSON { ["enum": .array(allCases.map { .string($0.rawValue) })] }
  /// The first two.
  package static var examples: (Self, Self) {
    let first = allCases[allCases.startIndex]
    return (first, allCases.dropFirst().first ?? first)
  }
  /// Reads a word.
  package init?(formText: String) { self.init(rawValue: formText) }
  /// The word.
  package var formText: String { rawValue }
}
