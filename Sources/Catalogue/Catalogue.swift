package import Avro
package import Daybook
package import DaybookStore

/// The commands and questions of a book, as those describe them who offer them to others: the OpenAPI document, and the
/// tools of the Model Context Protocol.
package enum Catalogue {
  /// The commands that an account may send.
  package static let accountCommands: [any ColumnCommand.Type] = Request.columnTypes.filter {
    type in
    let line: JSON = ["do": .string(type.form.name)]
    return (try? Caller.account(.first).check(line)) != nil
  }

  /// All questions, those about the whole book included.
  package static let questions: [any Question.Type] =
    QuestionRequest.names.compactMap { QuestionRequest.types[$0] }

  /// The questions that an account may ask.
  package static let accountQuestions: [any Question.Type] =
    questions.filter { $0.form.asker != .nobody }
}

extension JSON {
  /// The JSON Schema of an object without some of its fields.
  ///
  /// - Parameter names: The names of the fields to leave out.
  /// - Returns: The schema, with everything else as it is.
  package func withoutFields(_ names: Set<String>) -> JSON {
    .object(
      (members ?? []).map { member in
        switch member.name {
        case "properties":
          let kept = (member.value.members ?? []).filter { !names.contains($0.name) }
          return .init("properties", .object(kept))
        case "required":
          let kept = (member.value.elements ?? []).filter { !names.contains($0.text ?? "") }
          return .init("required", .array(kept))
        default: return member
        }
      })
  }
}
