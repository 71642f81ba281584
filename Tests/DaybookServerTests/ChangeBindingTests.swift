import Avro
import DaybookTables
import Testing

@testable import DaybookServer

@Suite(.tags(.unit)) struct ChangeBindingTests {
  private let schema = TableSchema.together

  @Test func `a binding is echoed as it was sent, with a number (DM-10, DG-11)`() {
    let sent: JSON = [
      "event": "*", "schema": "public", "table": "tasks",
      "filter": "user_id=eq.a0000000-0000-4000-8000-000000000001",
    ]
    let binding = ChangeBinding(sent, id: 7, in: schema)
    #expect(binding.fault == nil)
    #expect(binding.echo["id"] == 7)
    for name in ["event", "schema", "table", "filter"] {
      #expect(binding.echo[name] == sent[name], "\(name)")
    }
    let bare = ChangeBinding(
      ["event": "INSERT", "schema": "public", "table": "tasks"], id: 1, in: schema)
    #expect(bare.echo["filter"] == nil, "what is absent stays absent")
    #expect(bare.kind == .insert)
  }

  @Test(
    arguments: [
      ["event": "*", "schema": "public", "table": "no_such"],
      ["event": "*", "schema": "other", "table": "tasks"],
      ["event": "TRUNCATE", "schema": "public", "table": "tasks"],
      ["event": "*", "schema": "public", "table": "tasks", "filter": "user_id"],
      ["event": "*", "schema": "public", "table": "tasks", "filter": "no_column=eq.1"],
      ["event": "*", "schema": "public", "table": "tasks", "filter": "user_id=eq.no-key"],
      ["event": "*", "schema": "public", "table": "tasks", "filter": "user_id=bad.1"],
      ["event": "*", "schema": "public", "filter": "user_id=eq.1"],
      [:], ["event": "*"],
    ] as [JSON])
  func `a binding that can hear nothing says why (DG-10)`(sent: JSON) {
    #expect(ChangeBinding(sent, id: 1, in: schema).fault != nil)
  }

  @Test(
    arguments: [
      ["event": "DELETE", "schema": "public"],
      ["event": "DELETE", "schema": "public", "table": "*"],
      ["event": "DELETE", "schema": "public", "table": nil],
    ] as [JSON])
  func `a binding of a schema alone hears all its tables (contract, 6.1)`(sent: JSON) throws {
    let binding = ChangeBinding(sent, id: 1, in: schema)
    #expect(binding.fault == nil)
    for name in ["tasks", "labels"] {
      let table = try #require(schema.table(name))
      #expect(binding.wants(.delete, Row(table.columns.map { _ in .null }), of: table))
      #expect(!binding.wants(.insert, Row(table.columns.map { _ in .null }), of: table))
    }
  }

  @Test func `a filter holds rows against values of the column's type, several behind commas`()
    throws
  {
    let table = try #require(schema.table("tasks"))
    var values = table.columns.map { _ in TableValue.null }
    func set(_ column: String, _ value: TableValue) throws {
      values[try #require(table.place(of: column))] = value
    }
    try set("bucket_key", .text("WEEKEND"))
    try set("is_completed", .bool(false))
    let row = Row(values)
    func takes(_ filter: String) throws -> Bool { try RowFilter(filter, of: table).matches(row) }
    #expect(try takes("bucket_key=eq.WEEKEND"))
    #expect(try !takes("bucket_key=neq.WEEKEND"))
    #expect(try takes("bucket_key=in.(THIS_WEEK,WEEKEND)"))
    #expect(try takes("bucket_key=in.(THIS_WEEK,WEEKEND),is_completed=eq.false"))
    #expect(try !takes("bucket_key=eq.WEEKEND,is_completed=eq.true"))
    #expect(try !takes("title=eq.x"), "NULL is like nothing")
    // Clients put spaces behind commas, and quotation marks around what has signs of ours in it.
    #expect(try takes(" bucket_key=eq.WEEKEND , is_completed=eq.false"))
    #expect(try takes(#"bucket_key=eq."WEEKEND""#))
    for title in ["a,b", "(a", " a ", #"say "a""#, #"a\"#, #"","#, #"""#, "a=eq.b"] {
      try set("title", .text(title))
      let row = Row(values)
      let marked = title.replacing(#"\"#, with: #"\\"#).replacing("\"", with: #"\""#)
      for filter in [#"title=eq."\#(marked)""#, #"title=in.("\#(marked)",x)"#] {
        #expect(try RowFilter(filter, of: table).matches(row), "\(filter)")
        let both = filter + ",bucket_key=eq.WEEKEND"
        #expect(try RowFilter(both, of: table).matches(row), "\(both)")
      }
      #expect(try !RowFilter(#"title=neq."\#(marked)""#, of: table).matches(row))
    }
    try set("title", .text(#""a"#))
    #expect(
      try RowFilter(#"title=eq."a"#, of: table).matches(Row(values)), "a mark that ends nothing")
  }
}
