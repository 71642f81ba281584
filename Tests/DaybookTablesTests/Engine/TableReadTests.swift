import Avro
import DaybookTables
import HTTPTypes
import Testing
import Values
import Wire

@Suite(.tags(.unit)) struct TableReadTests {
  let garden: Garden

  init() throws { garden = try Garden() }

  @Test(
    arguments: [
      ("number=eq.3", [3]), ("number=neq.3", [0, 1, 2, 4]), ("number=gt.3", [4]),
      ("number=gte.2&number=lte.3", [2, 3]), ("number=lt.1", [0]), ("number=in.(1,4)", [1, 4]),
      ("number=in.()", []), ("number=in.(%20)", []), ("number=in.%20(%201,4)%20", [1, 4]),
      ("name=in.()", []), ("name=not.in.()", [0, 1, 2, 3, 4]),
      ("name=eq.b,c", [2]), ("name=eq.q%22t", [3]), ("name=eq.(p)", [4]),
      ("name=in.(%22b,c%22,%22(p)%22,%22q%5C%22t%22)", [2, 3, 4]), ("name=is.null", [1]),
      ("name=not.is.null", [0, 2, 3, 4]), ("height=in.(1.5,3.500)", [1, 3]),
      ("name=is.not_null", [0, 2, 3, 4]),
      ("name=neq.ash", [2, 3, 4]), ("name=not.eq.ash", [2, 3, 4]), ("is_even=is.false", [1, 3]),
      ("is_even=eq.false", [1, 3]), ("name=like.*s*", [0]), ("name=ilike.A%25H", [0]),
      ("or=(number.eq.1,and(number.gte.3,kind.eq.herb))", [1, 3]),
      ("or=(name.eq.%22b,c%22,name.is.null)", [1, 2]),
      ("not.or=(name.eq.ash,number.eq.4)", [2, 3]),
      ("and=(number.gt.0,number.lt.3)", [1, 2]),
      ("or=%20(%20number.eq.1%20,%20and%20(%20number.gte.3,kind.eq.herb)%20)%20", [1, 3]),
      ("seen_at=lt.now()", [0, 1, 2, 3, 4]), ("sown=gt.today", []),
      ("number=not.in.(1,2)", [0, 3, 4]),
      ("tags=cs.%7Bred%7D", [0, 2]), ("tags=cd.%7Bred,tall%7D", [0, 1, 2]),
      ("tags=ov.%7Bgreen,%22a%20b%22%7D", [3, 4]), ("tags=eq.%7B%7D", [1]),
      ("data=cs.%7B%22size%22:3%7D", [3]), ("data-%3E%3Elog_date=eq.2026-01-03", [2]),
      ("data-%3Esize=eq.4", [4]), ("data-%3Eparts-%3E1=eq.2&number=lt.2", [0, 1]),
      ("number=eq(any).%7B1,2%7D", [1, 2]), ("name=like(any).%7Ba%25,%25c%7D", [0, 2]),
      ("name=isdistinct.ash", [1, 2, 3, 4]), ("height=eq.3.5", [3]), ("height=gt.3.4999", [3, 4]),
      ("sown=gte.2024-10-05&sown=lt.2024-10-07T00:00:00Z", [1, 2]), ("kind=gt.tree", [1, 3]),
      ("id=eq.00000000-0000-0007-0000-000000000002", [2]),
      (
        "id=in.(%7B00000000-0000-0007-0000-00000000000A%7D,00000000-0000-0007-0000-000000000001)",
        [1]
      ),
      // Milliseconds are kept: a value between two of them equals neither.
      ("seen_at=gte.2026-01-02T03:04:06.678001", [2, 3, 4]),
      ("seen_at=lt.2026-01-02T03:04:06.678001Z", [0, 1]),
      ("seen_at=eq.2026-01-02T03:04:06.678001", []),
      ("seen_at=neq.2026-01-02T03:04:06.678001Z", [0, 1, 2, 3, 4]),
      ("seen_at=gt.2026-01-02T05:04:07.678%2B02:00", [3, 4]),
    ] as [(String, [Int])])
  func `filters find rows`(query: String, numbers: [Int]) async {
    #expect(await garden.numbers("\(query)&order=number") == numbers)
  }

  @Test(
    arguments: [
      ("order=number.desc&limit=2", [4, 3]), ("order=number&limit=2&offset=1", [1, 2]),
      ("order=name", [4, 0, 2, 3, 1]), ("order=name.desc", [1, 3, 2, 0, 4]),
      ("order=name.desc.nullslast", [3, 2, 0, 4, 1]), ("order=name.nullsfirst", [1, 4, 0, 2, 3]),
      ("order=kind,height.desc", [4, 2, 0, 3, 1]), ("order=data-%3Esize.desc&limit=1", [4]),
      ("order=is_even", [1, 3, 0, 2, 4]), ("offset=50", []), ("limit=0", []),
    ] as [(String, [Int])])
  func `rows are ordered as PostgreSQL orders them, and paged`(
    query: String, numbers: [Int]
  ) async {
    #expect(await garden.numbers(query) == numbers)
  }

  @Test func `values are written in the form that clients read (DM-7)`() async {
    #expect(
      await garden.get("plants?number=eq.0")
        == #"[{"id":"00000000-0000-0007-0000-000000000000","number":0,"name":"ash","is_even":true,"kind":"tree","#
        + #""height":0.50,"seen_at":"2026-01-02T03:04:05.678+00:00","sown":"2024-10-04","#
        + #""data":{"log_date":"2026-01-01","size":0,"parts":[{"name":"leaf"},2]},"tags":["red","tall"],"#
        + #""bed_id":"00000000-0000-0008-0000-000000000000"}]"#)
    #expect(
      await garden.get(
        "plants?select=title:name,number::text,data-%3E%3Elog_date,part:data-%3Eparts-%3E0-%3Ename&number=eq.0"
      )
        == #"[{"title":"ash","number":"0","log_date":"2026-01-01","part":"leaf"}]"#)
  }

  @Test func `other tables are embedded with their own filters, order and page`() async {
    #expect(
      await garden.get("plants?select=number,beds(place)&number=in.(0,2)")
        == #"[{"number":0,"beds":{"place":"north"}},{"number":2,"beds":null}]"#)
    #expect(
      await garden.get("beds?select=place,plants(count)")
        == #"[{"place":"north","plants":[{"count":2}]},{"place":"south","plants":[{"count":2}]},"#
        + #"{"place":"none","plants":[{"count":0}]}]"#)
    #expect(
      await garden.get(
        "beds?select=place,of:plants(number)&of.order=number.desc&of.limit=1&of.number=lt.4&order=place"
      )
        == #"[{"place":"none","of":[]},{"place":"north","of":[{"number":3}]},{"place":"south","of":[{"number":1}]}]"#
    )
    #expect(
      await garden.get("beds?select=place,plants!inner(number)&plants.number=gte.3&order=place")
        == #"[{"place":"north","plants":[{"number":3}]},{"place":"south","plants":[{"number":4}]}]"#
    )
    #expect(
      await garden.get("plants?select=number,pairs(bed,beds(place))&number=eq.1")
        == #"[{"number":1,"pairs":[{"bed":"00000000-0000-0008-0000-000000000001","beds":{"place":"south"}}]}]"#
    )
    #expect(
      await garden.get("plants?select=number,beds!pairs(place)&number=lt.2&beds.order=place.desc")
        == #"[{"number":0,"beds":[{"place":"south"},{"place":"north"}]},{"number":1,"beds":[{"place":"south"}]}]"#
    )
    #expect(
      await garden.get("plants?select=number,home:bed_id(place),beds!inner()&number=lte.2")
        == #"[{"number":0,"home":{"place":"north"}},{"number":1,"home":{"place":"south"}}]"#)
  }

  @Test func `rows can be filtered and ordered by what they embed`()
    async
  {
    func numbers(_ query: String) async -> [Int?]? {
      let json = try? JSON(parsing: await garden.ask(.get, "plants?select=number,\(query)").body)
      return json?.elements?.map { $0["number"]?.integer }
    }
    for (query, expected): (String, [Int]) in [
      ("beds(place)&beds=is.null", [2]), ("beds()&beds=not.is.null&order=number", [0, 1, 3, 4]),
      ("home:beds()&home=is.not_null&number=gt.1&order=number", [3, 4]),
      ("home:beds()&beds=not.is.not_null", [2]), ("beds!inner()&beds=is.null", []),
      ("beds()&beds=is.null&beds=not.is.null", []),
      ("beds()&order=beds(place),beds(place).desc,number.desc&limit=2", [3, 0]),
      ("beds(place)&beds=is.null&beds.place=eq.north&order=number", [1, 2, 4]),
      ("home:beds(place)&order=home(place).desc,number", [2, 1, 4, 0, 3]),
      ("home:beds()&order=beds(place),number.desc&limit=3&offset=1", [0, 4, 1]),
      ("beds(place)&order=beds(place).nullsfirst,number&limit=2", [2, 0]),
      ("beds(place)&or=(beds.is.null,number.eq.3)&order=number", [2, 3]),
      ("beds()&or=(beds.not.is.null,number.eq.2)&order=number", [0, 1, 2, 3, 4]),
      ("beds()&or=(beds.is.null,name.eq.ash)&order=number", [0, 2]),
      ("home:beds(place)&not.and=(home.not.is.null,number.gt.0)&order=number", [0, 2]),
      ("home:beds()&or=(and(beds.is.null,number.eq.2),number.eq.4)&order=number", [2, 4]),
      ("beds(place)&or=(beds.is.null,number.eq.0)&beds.place=eq.north&order=number", [0, 1, 2, 4]),
      ("beds()&or=(beds.is.null,number.gt.2)&order=number.desc&limit=1&offset=1", [3]),
      ("beds!inner()&or=(beds.is.null,number.eq.3)", [3]),
      ("beds()&or=(beds.is.null,number.eq.3)&beds=not.is.null", [3]),
    ] {
      #expect(await numbers(query) == expected, "\(query)")
    }
    #expect(await garden.get("beds?select=place,plants()&plants=is.null") == #"[{"place":"none"}]"#)
    #expect(
      await garden.get(
        "beds?select=place,pairs(plants(number))&pairs.order=plants(number).desc&place=eq.south")
        == #"[{"place":"south","pairs":[{"plants":{"number":1}},{"plants":{"number":0}}]}]"#)
    #expect(
      await garden.get(
        "beds?select=place,of:plants(number)&of.number=lt.4&plants.order=number.desc&place=eq.north"
      )
        == #"[{"place":"north","of":[{"number":3},{"number":0}]}]"#)
    #expect(
      await garden.get(
        "beds?select=place,plants(number,home:beds())&plants.or=(home.is.null,number.eq.3)&order=place"
      )
        == #"[{"place":"none","plants":[]},{"place":"north","plants":[{"number":3}]},"#
        + #"{"place":"south","plants":[]}]"#)
    #expect(
      await garden.get(
        "beds?select=place,of:plants!pairs()&or=(of.is.null,place.eq.north)&order=place")
        == #"[{"place":"none"},{"place":"north"}]"#)
    for (target, refusal) in [
      ("beds?select=place,plants(number)&order=plants(number)", "400 PGRST118"),
      ("plants?order=beds(place)", "400 PGRST108"), ("plants?beds=is.null", "400 42703"),
      ("plants?select=beds(place)&order=beds(what)", "400 42703"),
      ("plants?select=beds(place)&order=beds(place", "400 PGRST100"),
      ("plants?select=beds(place)&beds=is.true", "400 42703"),
      ("plants?or=(beds.is.null,number.eq.1)", "400 42703"),
      ("plants?select=beds(place)&or=(beds.is.true,number.eq.1)", "400 42703"),
    ] {
      #expect(await garden.ask(.get, target).refusal == refusal, "\(target)")
    }
  }

  @Test func `the first acceptable form of answer is given`() async {
    for (accept, isObject) in [
      ("application/vnd.pgrst.object", true), ("application/vnd.pgrst.array", false),
      ("application/json, application/vnd.pgrst.object+json", false),
      ("text/csv, application/vnd.pgrst.object+json;q=1, */*", true),
    ] {
      let answer = await garden.ask(.get, "plants?number=eq.1", headers: [.accept: accept])
      #expect(answer.text.hasPrefix(isObject ? "{" : "["), "\(accept)")
    }
  }

  @Test func `headers state the count and the page, also for HEAD`() async {
    let page = await garden.ask(.get, "plants?limit=2", prefer: "count=exact")
    #expect(page.status == .partialContent && page.headers[.contentRange] == "0-1/5")
    #expect(page.headers[.preferenceApplied] == "count=exact")
    #expect(page.headers[.contentType] == "application/json; charset=utf-8")
    let uncounted = await garden.ask(.get, "plants?limit=2")
    #expect(uncounted.status == .ok && uncounted.headers[.contentRange] == "0-1/*")
    let none = await garden.ask(.get, "plants?number=eq.9", prefer: "count=exact")
    #expect(none.status == .ok && none.headers[.contentRange] == "*/0" && none.text == "[]")
    let whole = await garden.ask(.head, "plants?select=id", prefer: "count=planned")
    #expect(whole.status == .ok && whole.headers[.contentRange] == "0-4/5" && whole.body.isEmpty)
    let beyond = await garden.ask(.get, "plants?offset=6", prefer: "count=exact")
    #expect(beyond.refusal == "416 PGRST103")
    #expect(beyond.headers[.contentRange] == "*/5")
    #expect(await garden.ask(.get, "plants?offset=6").text == "[]")
    let ranged = await garden.ask(
      .get, "plants?select=number&order=number", headers: [.rangeUnit: "items", .range: "1-2"])
    #expect(ranged.text == #"[{"number":1},{"number":2}]"#)
    #expect(ranged.headers[.contentRange] == "1-2/*")
    let crossed = await garden.ask(.get, "plants", headers: [.range: "3-1"])
    #expect(crossed.refusal == "416 PGRST103")
    let other = await garden.ask(.get, "plants", headers: [.range: "bytes=0-1"])
    #expect(other.headers[.contentRange] == "0-4/*")
  }

  @Test func `an answer is capped at the row limit, and the header shows it`() async throws {
    let small = try Garden(rowLimit: 3)
    let capped = await small.ask(.get, "plants", prefer: "count=exact")
    #expect(capped.status == .partialContent && capped.headers[.contentRange] == "0-2/5")
    let last = await small.ask(.get, "plants?limit=9&offset=3", prefer: "count=exact")
    #expect(last.headers[.contentRange] == "3-4/5")
  }

  @Test func `one row can be an object, and any other number is refused with it`() async {
    let object: HTTPFields = [.accept: "application/vnd.pgrst.object+json"]
    let one = await garden.ask(.get, "plants?select=number&number=eq.3", headers: object)
    #expect(one.text == #"{"number":3}"#)
    #expect(one.headers[.contentType] == "application/vnd.pgrst.object+json; charset=utf-8")
    let none = await garden.ask(.get, "plants?number=eq.9", headers: object)
    #expect(none.status == .notAcceptable)
    #expect(
      none.json == [
        "code": "PGRST116", "details": "The result contains 0 rows", "hint": nil,
        "message": "Cannot coerce the result to a single JSON object",
      ])
    let many = await garden.ask(.get, "plants", headers: object)
    #expect(many.json?["details"] == "The result contains 5 rows")
    let head = await garden.ask(.head, "plants", headers: object)
    #expect(head.status == .notAcceptable && head.body.isEmpty)
    #expect(head.headers[.proxyStatus] == "PostgREST; error=PGRST116")
  }

  @Test(arguments: [
    ("plants?number=1", "400 PGRST100"), ("plants?what=eq.1", "400 42703"),
    ("plants?select=what", "400 42703"), ("plants?order=what", "400 42703"),
    ("plants?select=notes(id)", "400 PGRST200"), ("plants?select=beds!none(id)", "400 PGRST200"),
    ("plants?beds.place=eq.x", "400 PGRST108"), ("plants?beds.limit=1", "400 PGRST108"),
    ("plants?number=eq.x", "400 22P02"), ("plants?id=eq.x", "400 22P02"),
    ("plants?seen_at=gt.x", "400 22007"), ("plants?sown=eq.2026-13-01", "400 22008"),
    ("plants?select=name::box", "400 42704"), ("plants?number=is.true", "400 42804"),
    ("plants?number=cs.1", "404 42883"), ("plants?select=number,count()", "400 PGRST100"),
    ("nothing", "404 PGRST205"), ("plants/1", "404 PGRST125"), ("", "404 PGRST125"),
    ("plants?limit=-1", "416 PGRST103"),
    ("plants?name=like.\(String(repeating: "%25a", count: 501))", "400 54000"),
    ("plants?as_of=soon", "400 22007"),
  ])
  func `an invalid request is refused with all four members`(
    target: String, refusal: String
  ) async {
    let answer = await garden.ask(.get, target.isEmpty ? "/" : target)
    #expect(answer.refusal == refusal)
    #expect(answer.json?.members?.map(\.name) == ["code", "details", "hint", "message"])
    #expect(answer.json?["message"]?.text?.isEmpty == false)
  }

  @Test(
    arguments: [
      ("goals", "OPTIONS,GET,HEAD,POST,PUT,PATCH,DELETE"), ("plants", "OPTIONS,GET,HEAD"),
      ("rpc/double", "OPTIONS,GET,HEAD,POST"), ("rpc/set_goal", "OPTIONS,POST"),
    ])
  func `OPTIONS lists the methods of a table or a function`(
    target: String, methods: String
  ) async {
    for viewer in [Viewer.account(Garden.ada), .anonymous] {
      let answer = await garden.ask(.options, target, by: viewer)
      #expect(answer.status == .ok && answer.headers[.allow] == methods && answer.body.isEmpty)
    }
  }

  @Test(arguments: ["nothing", "rpc/none", "goals/1", "/"])
  func `OPTIONS of an unknown table or function is refused like a read`(target: String) async {
    let answer = await garden.ask(.options, target)
    let read = await garden.ask(.get, target)
    #expect(answer.status == .notFound && answer.json == read.json && answer.json != nil)
  }

  @Test func `other methods, schemas and forms are refused`() async {
    #expect(await garden.ask(.trace, "plants").refusal == "405 PGRST117")
    #expect(await garden.ask(.put, "plants").refusal == "405 PGRST105")
    #expect(await garden.ask(.get, "plants", headers: [.acceptProfile: "public"]).status == .ok)
    #expect(
      await garden.ask(.get, "plants", headers: [.acceptProfile: "auth"]).refusal == "406 PGRST106")
    #expect(
      await garden.ask(.delete, "goals", headers: [.contentProfile: "x"]).refusal == "406 PGRST106")
    #expect(
      await garden.ask(.get, "plants", headers: [.accept: "text/csv"]).refusal == "406 PGRST107")
  }

  @Test func `an anonymous caller sees no row, and an unknown account is refused`() async {
    #expect(await garden.get("plants", by: .anonymous) == "[]")
    let counted = await garden.ask(.get, "plants", prefer: "count=exact", by: .anonymous)
    #expect(counted.headers[.contentRange] == "*/0")
    #expect(await garden.ask(.get, "plants?what=eq.1", by: .anonymous).refusal == "400 42703")
    let stranger = Viewer.account(.init(high: 9, low: 9))
    #expect(await garden.ask(.get, "plants", by: stranger).refusal == "401 PGRST301")
  }

  @Test func `a table is read as of a moment`() async {
    _ = await garden.ask(.post, "goals", ["title": "Run"])
    #expect(await garden.get("goals?select=title&as_of=2099-01-01") == #"[{"title":"Run"}]"#)
    #expect(await garden.get("goals?select=title&as_of=2026-03-10") == #"[{"title":"Run"}]"#)
    #expect(await garden.get("goals?select=title&as_of=2026-03-09") == "[]")
    #expect(await garden.get("goals?select=title&as_of=2026-03-10T12:00:00Z") == "[]")
  }
}
