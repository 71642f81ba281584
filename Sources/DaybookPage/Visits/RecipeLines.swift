import Avro
import Daybook

extension Visit {
  /// A command of a form in which a recipe's lines are those of the recipe, where they are written as they were: a line of a
  /// form is a text, and an app may have written more than that into an ingredient or a step.
  ///
  /// - Throws: ``PageRefusal``.
  func keepingLines(_ command: JSON) async throws -> JSON {
    let names = ["ingredients", "steps"]
    guard command["do"]?.text == "update_recipe", let recipe = command["recipe"]?.text,
      names.contains(where: { command[$0] != nil })
    else { return command }
    let row = try await ask("recipe", [("recipe", recipe)])
    let texts = [
      "ingredients": row.ingredients(self).map(\.text.line),
      "steps": row.steps(self).map(\.text.line),
    ]
    let members = (command.members ?? []).map { member -> JSON.Member in
      guard let texts = texts[member.name], let lines = member.value.elements,
        let elements = row[member.name]?.elements, elements.count == texts.count
      else { return member }
      return JSON.Member(
        member.name,
        .array(
          lines.map { line in
            texts.firstIndex { $0 == line.text }.map { elements[$0] } ?? line
          }))
    }
    return .object(members)
  }
}
