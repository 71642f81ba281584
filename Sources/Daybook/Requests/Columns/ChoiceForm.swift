public import Avro

/// One of a few words: its form in JSON is the word.
public protocol ChoiceForm: TextForm, CaseIterable, RawRepresentable where RawValue == String {}

extension ChoiceForm {
  /// Reads a word.
  public init?(formText: String) { self.init(rawValue: formText) }
  /// The word.
  public var formText: String { rawValue }
}
