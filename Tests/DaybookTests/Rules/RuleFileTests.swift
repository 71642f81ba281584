import Avro
import Daybook
import Testing

/// The content of rule files, and their refusals.
@Suite(.tags(.unit)) struct RuleFileTests {
  @Test(arguments: [
    (#"[]"#, "rule"), (#"{"#, "rule"), (#"{}"#, "name"), (#"{"name":"Loud"}"#, "name"),
    (#"{"name":"a","version":0}"#, "version"), (#"{"name":"a","base":"me"}"#, "base"),
    (#"{"name":"a","holds":["always"]}"#, "holds"), (#"{"name":"a","freeze":1}"#, "freeze"),
    (#"{"name":"a","days":{"full":"wins"}}"#, "days.full"),
    (#"{"name":"a","days":{"off":"keeps"}}"#, "days.off"),
    (#"{"name":"a","partial_credit":100}"#, "partial_credit"),
    (#"{"name":"a","late":{}}"#, "late.within_hours"),
    (#"{"name":"a","late":{"within_hours":1e3}}"#, "late.within_hours"),
    (#"{"name":"a","skips":{"at_most":32,"per":"month"}}"#, "skips.at_most"),
    (#"{"name":"a","skips":{"at_most":1}}"#, "skips.per"),
    (#"{"name":"a","grace":{}}"#, "grace.misses"),
    (#"{"name":"a","grace":{"misses":-1}}"#, "grace.misses"),
    (#"{"name":"a","freezes":{"per_full_days":7}}"#, "freezes.hold"),
    (#"{"name":"a","counts":{"unit":"day","full_days":2}}"#, "counts.full_days"),
    (#"{"name":"a","counts":{"unit":"strength"}}"#, "counts.at_least"),
    (#"{"name":"a","changes":[{}]}"#, "changes[0].from"),
    (#"{"name":"a","changes":[{"from":"2026-03-01","grace":7}]}"#, "changes[0].grace"),
    (
      #"{"name":"a","changes":[{"from":"2026-03-02"},{"from":"2026-03-02"}]}"#,
      "changes[1].from"
    ),
  ])
  func `an invalid rule is refused with its field`(text: String, field: String) throws {
    let error = #expect(throws: Rejection.self) { try RuleFile.rule(Array(text.utf8)) }
    #expect(error?.field == field)
  }

  @Test func `a file is accepted up to its limit`() throws {
    let rule = #"{"name":"a"}"#
    let padding = String(repeating: " ", count: RuleFile.maximumByteCount - rule.utf8.count)
    #expect(try RuleFile.rule(Array((rule + padding).utf8)).id == "a")
    #expect(throws: Rejection.self) { try RuleFile.rule(Array((rule + padding + " ").utf8)) }
  }

  @Test func `a change keeps absent clauses, and null removes a clause`() throws {
    let rule = try RuleFile.rule(
      Array(
        """
        {"name":"a","grace":{"misses":1},"partial_credit":50,
         "changes":[{"from":"2026-03-05","partial_credit":80},{"from":"2026-03-09","grace":null}]}
        """.utf8))
    #expect(rule.stages.map(\.clauses.partialCredit) == [50, 80, 80])
    #expect(rule.stages.map { $0.clauses.grace?.misses } == [1, 1, nil])
    #expect(try RuleFile.rule(RuleFile.json(rule)) == rule)
  }

  @Test func `the schema lists every field that is read`() throws {
    let properties = try #require(RuleFile.schema["properties"]?.members).map(\.name)
    #expect(
      properties == [
        "$schema", "name", "version", "about", "base", "holds", "days", "partial_credit", "late",
        "skips", "grace", "freezes", "counts", "week_starts_on", "changes",
      ])
  }
}
