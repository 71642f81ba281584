import Calendar
import HTTPTypes
import Testing
import Wire

@testable import DaybookTables

@Suite(.tags(.unit)) struct QueryGrammarTests {
  private func query(_ encoded: String) throws -> TableQuery {
    try TableQuery(WireQuery(encoded: encoded))
  }

  @Test func `a selection names columns, aliases, casts, ways into JSON and embedded tables`()
    throws
  {
    let items = try SelectItem.list(
      "*, id,title:name,n::text,data->>log_date,day:data->days->0,hive_members(count),"
        + "owner:profiles!fk!inner(id,labels(*)),task_labels!left()")
    #expect(
      items == [
        .all, .column(ColumnPath(name: "id"), alias: nil, cast: nil),
        .column(ColumnPath(name: "name"), alias: "title", cast: nil),
        .column(ColumnPath(name: "n"), alias: nil, cast: "text"),
        .column(
          ColumnPath(name: "data", steps: [.member("log_date")], isText: true), alias: nil,
          cast: nil),
        .column(
          ColumnPath(name: "data", steps: [.member("days"), .element(0)]), alias: "day", cast: nil),
        .embed(
          EmbedItem(
            target: "hive_members",
            items: [.column(ColumnPath(name: "count"), alias: nil, cast: nil)])),
        .embed(
          EmbedItem(
            target: "profiles", alias: "owner", hint: "fk", isInner: true,
            items: [
              .column(ColumnPath(name: "id"), alias: nil, cast: nil),
              .embed(EmbedItem(target: "labels", items: [.all])),
            ])),
        .embed(EmbedItem(target: "task_labels")),
      ])
    #expect(try SelectItem.list("") == [.all])
    #expect(
      try SelectItem.list("\n  id,\r\n\ttitle : name ,\n labels (\n*\n)\n")
        == SelectItem.list("id,title:name,labels(*)"))
    #expect(try SelectItem.list("count()") == [.count(alias: nil)])
  }

  @Test func `the value of a filter is taken as it stands, and one among others may be quoted`()
    throws
  {
    let shape = try query(
      "a=eq.%22b,c%22&b=in.(%22x,y%22,z%20,%22q%5C%22%5C%5C%22,)&c=not.is.null&d=like(any).%7B%25a%7D"
    )
    .shape
    func one(_ name: String, _ comparison: Comparison) -> Condition {
      .comparison(ColumnPath(name: name), comparison)
    }
    #expect(
      shape.conditions == [
        one("a", Comparison(comparing: .equal, value: "\"b,c\"")),
        one("b", Comparison(comparing: .among, values: ["x,y", "z ", "q\"\\", ""])),
        .not(one("c", Comparison(comparing: .state))),
        one("d", Comparison(comparing: .like, quantifier: .any, value: "{%a}")),
      ])
    #expect(
      try query("or=(a.eq.%22b,c%22,not.and(b.not.is.true,c.cs.%7Bx,y%7D),d-%3E%3Ek.in.(1,2))")
        .shape.conditions == [
          .any([
            one("a", Comparison(comparing: .equal, value: "b,c")),
            .not(
              .all([
                .not(one("b", Comparison(comparing: .state, state: .true))),
                one("c", Comparison(comparing: .contains, value: "{x,y}")),
              ])),
            .comparison(
              ColumnPath(name: "d", steps: [.member("k")], isText: true),
              Comparison(comparing: .among, values: ["1", "2"])),
          ])
        ])
    #expect(try query("a=in.()").shape.conditions == [one("a", Comparison(comparing: .among))])
    // One client quotes a value with a comma, and leaves the marks within it as they are.
    #expect(
      try query("a=in.(%22x%22y,z%22)").shape.conditions == [
        one("a", Comparison(comparing: .among, values: ["x\"y,z"]))
      ])
    // A mark that nothing ends is one of the text, however many there are.
    #expect(
      try query("a=in.(%22x,%22y,z)").shape.conditions == [
        one("a", Comparison(comparing: .among, values: ["\"x", "\"y", "z"]))
      ])
  }

  @Test func `what is said of an embedded table stands by its names`() throws {
    let read = try query(
      "a.b.c=eq.1&a.order=x.desc,y.asc.nullsfirst,z.nullslast&a.limit=3&a.offset=2"
        + "&a.not.or=(x.eq.1)&limit=99999999999999999999"
    )
    #expect(read.shapes[["a", "b"]]?.conditions.count == 1)
    let shape = try #require(read.shapes[["a"]])
    #expect(shape.limit == 3 && shape.offset == 2)
    #expect(
      shape.order == [
        OrderTerm(column: ColumnPath(name: "x"), isDescending: true),
        OrderTerm(column: ColumnPath(name: "y"), nullsFirst: true),
        OrderTerm(column: ColumnPath(name: "z"), nullsFirst: false),
      ])
    guard case .not(.any) = try #require(shape.conditions.first) else {
      Issue.record("a negated tree is read as one")
      return
    }
    #expect(read.shape.limit == Int(Int32.max))
    #expect(try query("columns=%22a%22,b&on_conflict=x,y").columns == ["a", "b"])
    #expect(try query("columns=%22a%22,b&on_conflict=x,y").conflictColumns == ["x", "y"])
  }

  @Test(arguments: [
    "a=1", "a=foo.1", "a=eq", "a=is.maybe", "a=in.1", "a=in.(1", "a=in.(1)2", "a=not.not.eq.1",
    "a=eq(some).1", "or=a.eq.1", "or=(a.eq.1", "or=()", "or=(a.eq.1)b", "order=", "order=a.up",
    "order=a.asc.desc", "order=a.nullsfirst.asc", "select=a(", "select=a)", "select=a,,b",
    "select=a:", "select=(a)", "select=...a(b)", "select=a->>b->c", ".a=eq.1", "a.=eq.1",
    "a->=eq.1", "columns=", "columns=%20", "columns=a,", "on_conflict=", "on_conflict=,a",
  ])
  func `what the grammar does not have is refused`(encoded: String) throws {
    let error = try #require(throws: TableError.self) { try query(encoded) }
    #expect(error.code == "PGRST100" && error.status == .badRequest)
  }

  @Test(arguments: [
    "limit=undefined", "limit=", "limit=NaN", "limit=2.5", "offset=abc", "offset=-4",
  ])
  func `what is no number of rows is none`(encoded: String) throws {
    let shape = try query(encoded).shape
    #expect(shape.limit == nil && shape.offset == 0)
  }

  @Test func `conditions 16 deep and tables 4 deep are read, and no more`() throws {
    func conditions(_ depth: Int) -> String {
      "or=" + String(repeating: "(and", count: depth - 1) + "(a.eq.1)"
        + String(repeating: ")", count: depth - 1)
    }
    #expect(throws: Never.self) { try query(conditions(16)) }
    for depth in [17, 5000] { #expect(throws: TableError.self) { try query(conditions(depth)) } }
    func tables(_ depth: Int) -> String {
      "select=" + String(repeating: "a(", count: depth) + "b" + String(repeating: ")", count: depth)
    }
    #expect(throws: Never.self) { try query(tables(4)) }
    for depth in [5, 5000] { #expect(throws: TableError.self) { try query(tables(depth)) } }
    #expect(throws: TableError.self) { try query("limit=-1") }
  }

  @Test(arguments: [
    ("2026-01-02T03:04:05.678Z", 1_767_323_045_678, false),
    ("2026-01-02T03:04:05.678", 1_767_323_045_678, false),
    ("2026-01-02 03:04:05.6789+00", 1_767_323_045_678, true),
    ("2026-01-02T05:04:05.678000+02:00", 1_767_323_045_678, false),
    ("2026-01-02T01:34:05.678-0130", 1_767_323_045_678, false),
    ("2026-01-02", 1_767_312_000_000, false),
    ("2026-01-02T03:04", 1_767_323_040_000, false),
    (" 2026-01-02T05:04:05.678+2 ", 1_767_323_045_678, false),
    ("2026-01-02 03:04:05.678 UTC", 1_767_323_045_678, false),
    ("Fri, 02 Jan 2026 03:04:05 GMT", 1_767_323_045_000, false),
    ("20260102T030405Z", 1_767_323_045_000, false), ("2026/01/02", 1_767_312_000_000, false),
    ("1/2/2026, 3:04:05 AM", 1_767_323_045_000, false), ("20260102", 1_767_312_000_000, false),
    ("2026-01-02 12:00 am", 1_767_312_000_000, false),
    ("2026-01-01T24:00:00Z", 1_767_312_000_000, false),
    ("2 jan 2026 3:04 PM", 1_767_366_240_000, false),
  ])
  func `a moment is read with a zone or without, which is UTC (DM-7)`(
    text: String, milliseconds: Int64, isTruncated: Bool
  ) throws {
    let literal = try Literal(text, .timestamp)
    #expect(literal.value == .timestamp(Instant(clamping: milliseconds)))
    #expect(literal.isTruncated == isTruncated)
  }

  @Test func `words say moments by when they are read`() throws {
    let now = Instant(clamping: 1_767_323_045_678)
    for (word, milliseconds): (String, Int64) in [
      ("now", 1_767_323_045_678), ("now()", 1_767_323_045_678), (" NOW ", 1_767_323_045_678),
      ("today", 1_767_312_000_000), ("tomorrow", 1_767_398_400_000),
      ("yesterday", 1_767_225_600_000),
    ] {
      let instant = Instant(clamping: milliseconds)
      #expect(try Literal(word, .timestamp, at: now).value == .timestamp(instant), "\(word)")
      #expect(try Literal(word, .date, at: now).value == .date(Day(utc: instant)), "\(word)")
    }
    #expect(throws: TableError.self) { try Literal("nowadays", .timestamp, at: now) }
  }

  @Test(
    arguments: [
      ("x", .uuid, "22P02"), ("1.5", .integer, "22P02"), ("99999999999", .integer, "22P02"),
      ("maybe", .bool, "22P02"), ("NaN", .decimal, "22P02"), ("1e", .decimal, "22P02"),
      ("shrub", .enumeration(["tree"]), "22P02"), ("[1", .json, "22P02"),
      ("a,b", .textArray, "22P02"),
      ("{a", .textArray, "22P02"), ("soon", .timestamp, "22007"), ("2026-02-30", .date, "22008"),
      ("2026-01-02T25:00:00Z", .timestamp, "22008"),
      ("2026-01-02T03:04:05Zulu", .timestamp, "22007"),
      ("7", .time, "22007"), ("24:00", .time, "22008"), ("", .date, "22007"),
      ("0730", .time, "22007"), ("13:00 PM", .time, "22007"), ("now", .timestamp, "22007"),
      ("2026-01-02T24:00:01", .timestamp, "22008"), ("2026-01/02", .date, "22007"),
      ("2026-01-02T03:04 EST", .timestamp, "22007"), ("13/1/2026", .date, "22008"),
      ("202601021", .date, "22007"), ("Fri", .date, "22007"), ("2 Jum 2026", .date, "22007"),
    ] as [(String, ColumnType, String)])
  func `a text that does not fit a type is refused`(
    text: String, type: ColumnType, code: String
  ) throws {
    let error = try #require(throws: TableError.self) { try Literal(text, type) }
    #expect(error.code == code && error.status == .badRequest)
  }

  @Test func `texts are read as PostgreSQL reads them`() throws {
    let key = TableValue.uuid(Garden.ada)
    #expect(try Literal("00000000-0000-0001-0000-000000000001", .uuid).value == key)
    #expect(try Literal("{00000000000000010000000000000001}", .uuid).value == key)
    #expect(try Literal("2026-04-01T23:00:00-05:00", .date).value == .date("2026-04-01"))
    #expect(try Literal(" 7 ", .integer).value == .integer(7))
    #expect(try Literal("ON", .bool).value == .bool(true))
    #expect(try Literal("007.50", .decimal).value == .decimal("7.50"))
    #expect(try Literal(".5", .decimal).value == .decimal("0.5"))
    #expect(try Literal("07:30:00", .time).value == .text("07:30"))
    #expect(try Literal("7:30 pm", .time).value == .text("19:30"))
    #expect(try Literal("{a,\"b c\", d\\\"}", .textArray).value == .array(["a", "b c", "d\""]))
  }

  @Test(arguments: [
    ("1", "2", -1), ("2.50", "2.5", 0), ("-1", "1", -1), ("-2", "-10", 1), ("1e3", "1000", 0),
    ("0.001", "1e-3", 0), ("0", "-0.0", 0), ("123456789012345678901", "123456789012345678900", 1),
    ("0.09", "0.1", -1), ("-0.5", "0", -1),
  ])
  func `numbers compare by all their digits`(left: String, right: String, order: Int) throws {
    let (one, other) = (try #require(DecimalText(left)), try #require(DecimalText(right)))
    #expect(TableValue.order(one, other) == order && TableValue.order(other, one) == -order)
  }

  @Test(arguments: ["1e100001", "1e-100001", "1e9223372036854775807", "1e-9223372036854775808"])
  func `a number of more places than PostgreSQL takes is none`(text: String) {
    #expect(DecimalText(text) == nil)
    #expect(DecimalText(text.replacing(/\d{6,}/, with: "100000")) != nil)
  }

  @Test(arguments: [
    ("abc", "a%", true), ("abc", "a*c", true), ("abc", "a_c", true), ("abc", "b%", false),
    ("a%c", "a\\%c", true), ("abc", "a\\%c", false), ("", "%", true), ("aab", "%a%b", true),
    ("aaaaaaaaaaaaaaaaaaaaaaaaaaaac", "%a%a%a%a%a%a%a%b", false), ("ab", "ab_", false),
  ])
  func `a pattern fits all of a text`(text: String, pattern: String, matches: Bool) {
    #expect(LikePattern(pattern, ignoringCase: false).matches(text) == matches)
    #expect(LikePattern(pattern.uppercased(), ignoringCase: true).matches(text) == matches)
  }
}
