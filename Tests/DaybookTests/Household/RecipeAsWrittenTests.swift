import Avro
import Testing

@testable import Daybook

/// An app's recipe is returned as it was sent, including members that the book does not know.
@Suite(.tags(.unit)) struct RecipeAsWrittenTests {
  private static let object = #"{"order":1,"text":" Cut. ","timer":{"min":5}}"#
  private static let instruction = #"{"instruction":"Stir.","step":7,"timer":null}"#

  private func create(_ fields: String, in scenario: Scenario) throws -> CreateRecipe {
    let line =
      #"{"do":"create_recipe","as":"\#(person(1).key)","household":"\#(Home.key)","#
      + #""title":"Soup",\#(fields)}"#
    return try #require(
      try Request(JSON(parsing: line), scenario.state).body as? CreateRecipe)
  }

  @Test(
    arguments: [
      (#""Cut.""#, "Cut.", nil), (object, "Cut.", object),
      (#"{"timer":null,"step":7,"instruction":"Stir."}"#, "Stir.", instruction),
      (
        #"{"text":" ","note":"x"}"#, #"{"note":"x","text":" "}"#, #"{"note":"x","text":" "}"#
      ),
      ("{}", "{}", "{}"),
    ] as [(String, String, String?)])
  func `a step is text, or an object returned as it was sent (MC-4)`(
    written: String, words: String, object: String?
  ) throws {
    let scenario = try Home.with()
    let kept = try scenario.and(create(#""steps":["First.",\#(written)]"#, in: scenario))
    let content = try #require(kept.state.recipes.elements.first?.content)
    #expect(content.steps.map(\.text) == ["First.", words])
    #expect(content.steps.map(\.object) == [nil, object])
    let row = try JSON.array(["First.", JSON(parsing: object ?? written)])
    #expect(kept.rows("recipes").first?["steps"] == row)
    // The journal's recipe equals the decided one, and an erasure leaves none of it.
    #expect(try RecipeContent(encoded: content.encoded) == content)
    #expect(content.erased.steps.allSatisfy { $0.text.isEmpty && $0.object == nil })
    #expect(throws: Rejection.self) { try create(#""steps":[7]"#, in: scenario) }
  }

  @Test func `unknown members of an ingredient are kept (MC-4)`() throws {
    let scenario = try Home.with()
    let read = { (text: String) in
      try create(#""ingredients":[\#(text)]"#, in: scenario).content.ingredients.first
    }
    let salt = try #require(
      try read(#"{"name":"salt","quantity":2,"unit":"g","extra":{"id":"a","alt":[1,null]}}"#))
    #expect(salt.extra == #"{"alt":[1,null],"id":"a"}"#)
    #expect(salt.scaled(by: Rational(2))?.extra == salt.extra)
    for nothing in [#"{"name":"salt","extra":{}}"#, #"{"name":"salt","extra":null}"#] {
      #expect(try read(nothing) == read(#"{"name":"salt"}"#))
    }
    #expect(throws: Rejection.self) { try read(#"{"name":"salt","extra":7}"#) }
    let kept = try scenario.and(CreateRecipe(in: Home.household, RecipeContent(title: "Pie")))
      .and(UpdateRecipe(.first) { $0.ingredients = [salt] })
    let row = kept.rows("recipes").first?["ingredients"]?.elements?.first
    #expect(row?["extra"] == ["alt": [1, .null], "id": "a"])
    let content = try #require(kept.state.recipes.elements.first?.content)
    #expect(try RecipeContent(encoded: content.encoded) == content)
    #expect(content.erased.ingredients.map(\.extra) == [nil])
  }

  @Test func `kept unknown members are limited in length (MC-4)`() throws {
    let scenario = try Home.with()
    let long = String(repeating: "x", count: Limit.text.maximum + 1)
    var content = RecipeContent(title: "Soup", ingredients: [Ingredient(parsing: "salt")])
    content.ingredients[0].extra = long
    let tooLong = { (field: String) in Rejection.beyond(.text, field) }
    #expect(throws: tooLong("ingredients")) {
      try scenario.when(CreateRecipe(in: Home.household, content))
    }
    content.ingredients = []
    content.steps = [RecipeStep("Cut.", object: long)]
    #expect(throws: tooLong("steps")) {
      try scenario.when(CreateRecipe(in: Home.household, content))
    }
  }
}
