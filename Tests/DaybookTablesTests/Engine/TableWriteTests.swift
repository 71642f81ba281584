import Avro
import Calendar
import Daybook
import DaybookStore
import DaybookTables
import HTTPTypes
import Testing
import Values
import Wire

@Suite(.tags(.unit)) struct TableWriteTests {
  let garden: Garden
  let one = "0000000A-0000-4000-8000-000000000001"
  let two = "0000000a-0000-4000-8000-000000000002"
  let told = "return=representation"
  let merge = "resolution=merge-duplicates,return=representation"
  let object: HTTPFields = [.accept: "application/vnd.pgrst.object+json"]

  init() throws { garden = try Garden() }

  private func titles() async -> String { await garden.get("goals?select=title&order=title") }

  private func updated(_ response: WireResponse) throws -> Instant {
    let text = try #require(response.json?.elements?.first?["updated_at"]?.text)
    return try #require(Instant(text))
  }

  @Test func `a row is inserted with its defaults, and returned on request`() async throws {
    let minimal = await garden.ask(.post, "goals", ["title": "Run"])
    #expect(minimal.status == .created && minimal.body.isEmpty)
    #expect(minimal.headers[.contentRange] == "*/*")
    let row = await garden.ask(
      .post, "goals?select=id,user_id,title,mood",
      ["id": .string(one), "user_id": .string(Garden.ada.description), "title": "Walk"],
      prefer: told)
    #expect(row.status == .created && row.headers[.preferenceApplied] == told)
    #expect(
      row.text
        == #"[{"id":"0000000a-0000-4000-8000-000000000001","user_id":"00000000-0000-0001-0000-000000000001","#
        + #""title":"Walk","mood":"calm"}]"#)
    let single = await garden.ask(
      .post, "goals?select=title", ["title": "Sit"], prefer: told, headers: object)
    #expect(single.status == .created && single.text == #"{"title":"Sit"}"#)
  }

  @Test func `an array is inserted whole or not at all, with NULL or the default for absent keys`()
    async
  {
    let rows: JSON = [["title": "A", "mood": "busy"], ["title": "B"]]
    let columns = "goals?select=title&columns=%22title%22,%22mood%22"
    #expect(await garden.ask(.post, columns, rows, prefer: told).refusal == "400 23502")
    #expect(await titles() == "[]")
    let made = await garden.ask(.post, columns, rows, prefer: "missing=default, \(told)")
    #expect(made.text == #"[{"title":"A"},{"title":"B"}]"#)
    #expect(await garden.ask(.post, "goals", rows).refusal == "400 PGRST102")
    #expect(await garden.ask(.post, "goals", []).status == .created)
    #expect(await titles() == #"[{"title":"A"},{"title":"B"}]"#)
  }

  @Test(
    arguments: [
      (["title": "A", "what": 1], "400 PGRST204"), (["description": "x"], "400 23502"),
      (["title": nil], "400 23502"), (["title": "A", "mood": "wild"], "400 23514"),
      (["title": "A", "twice": "AA"], "400 428C9"), (["title": "A", "id": "x"], "400 22P02"),
      (["title": "A\0"], "400 22P05"), (["title": "  "], "400 23514"), ("x", "400 PGRST102"),
      ([1], "400 PGRST102"),
      (["title": "A", "user_id": "00000000-0000-0001-0000-000000000002"], "403 42501"),
    ] as [(JSON, String)])
  func `a row that breaks a rule is refused, and nothing is stored`(
    body: JSON, refusal: String
  ) async {
    #expect(await garden.ask(.post, "goals", body).refusal == refusal)
    #expect(await titles() == "[]")
  }

  @Test func `a body that is not JSON, or names no column, is refused`() async {
    #expect(await garden.ask(.post, "goals").refusal == "400 PGRST102")
    #expect(await garden.ask(.post, "goals?columns=what", ["title": "A"]).refusal == "400 PGRST204")
    for prefer in ["return=representation", merge] {
      let empty = await garden.ask(.post, "goals?columns=", ["title": "A"], prefer: prefer)
      #expect(empty.refusal == "400 PGRST100")
    }
    #expect(await titles() == "[]")
  }

  @Test func `the last of several members with one name counts`() async {
    let rows = #"[{"title":"A","description":"x","title":"B"},{"description":"y","title":"C"}]"#
    let made = await garden.ask(
      .post, "goals?select=title,description", bytes: Array(rows.utf8), prefer: told)
    #expect(made.status == .created)
    #expect(
      made.text == #"[{"title":"B","description":"x"},{"title":"C","description":"y"}]"#)
    let changes = #"{"description":"z","description":null}"#
    let changed = await garden.ask(.patch, "goals?title=eq.B", bytes: Array(changes.utf8))
    #expect(changed.status == .noContent)
    #expect(await garden.get("goals?select=description&title=eq.B") == #"[{"description":null}]"#)
    let call = Array(#"{"p_value":1,"p_value":4}"#.utf8)
    #expect(await garden.ask(.post, "rpc/double", bytes: call).text == "8")
  }

  @Test func `an anonymous caller can neither insert nor change a row`() async {
    _ = await garden.ask(.post, "goals", ["title": "A"])
    #expect(await garden.ask(.post, "goals", ["title": "B"], by: .anonymous).refusal == "401 42501")
    let changed = await garden.ask(.patch, "goals", ["title": "B"], prefer: told, by: .anonymous)
    #expect(changed.status == .ok && changed.text == "[]")
    #expect(await garden.ask(.delete, "goals", by: .anonymous).status == .noContent)
    #expect(await titles() == #"[{"title":"A"}]"#)
  }

  @Test func `a duplicate key is refused with its values, even if the row is invisible`() async {
    _ = await garden.ask(.post, "goals", ["id": .string(one), "title": "A"])
    let again = await garden.ask(.post, "goals", ["id": .string(one), "title": "B"])
    #expect(again.refusal == "409 23505")
    #expect(again.json?["details"]?.text == "Key (id)=(\(one.lowercased())) already exists.")
    let title = await garden.ask(.post, "goals", ["title": "A"])
    #expect(
      title.json?["details"]?.text
        == "Key (user_id, title)=(00000000-0000-0001-0000-000000000001, A) already exists.")
    let hidden = await garden.ask(.post, "goals", ["id": .string(one), "title": "B"], by: .ben)
    #expect(hidden.refusal == "409 23505")
    let taken = await garden.ask(
      .post, "goals", ["id": .string(one), "title": "B"], prefer: merge, by: .ben)
    #expect(taken.refusal == "403 42501")
    #expect(
      taken.json?["message"]?.text
        == "new row violates row-level security policy for table \"goals\"")
  }

  @Test func `a row may refer only to rows that its writer sees`() async {
    _ = await garden.ask(.post, "goals", ["id": .string(one), "title": "A"])
    let body: JSON = ["name": "Jog", "goal_id": .string(one)]
    #expect(await garden.ask(.post, "habits", body, by: .ben).refusal == "409 23503")
    let made = await garden.ask(
      .post, "habits?select=name,goals(title)", body, prefer: told, headers: object)
    #expect(made.text == #"{"name":"Jog","goals":{"title":"A"}}"#)
    #expect(
      await garden.get("goals?select=title,habits(name)")
        == #"[{"title":"A","habits":[{"name":"Jog"}]}]"#)
  }

  @Test func `an upsert updates the given columns of an existing row, or inserts a row`()
    async
  {
    let rows = "goals?select=title,description"
    let new = await garden.ask(
      .post, rows, ["id": .string(one), "title": "A", "description": "d"], prefer: merge)
    #expect(new.status == .created && new.text == #"[{"title":"A","description":"d"}]"#)
    let merged = await garden.ask(
      .post, rows, ["id": .string(one), "title": "B"], prefer: merge)
    #expect(merged.status == .ok && merged.text == #"[{"title":"B","description":"d"}]"#)
    let byTitle = await garden.ask(
      .post, "\(rows)&on_conflict=user_id,title", ["title": "B", "description": "e"], prefer: merge)
    #expect(byTitle.status == .ok && byTitle.text == #"[{"title":"B","description":"e"}]"#)
    let ignored = await garden.ask(
      .post, "\(rows)&on_conflict=title,user_id",
      [["title": "B", "description": "f"], ["title": "C", "description": "g"]],
      prefer: "resolution=ignore-duplicates,\(told)")
    #expect(ignored.status == .created && ignored.text == #"[{"title":"C","description":"g"}]"#)
    let nothing = await garden.ask(
      .post, "\(rows)&on_conflict=title,user_id", ["title": "B", "description": "f"],
      prefer: "resolution=ignore-duplicates,\(told)")
    #expect(nothing.status == .created && nothing.text == "[]")
    #expect(await titles() == #"[{"title":"B"},{"title":"C"}]"#)
    let noKey = await garden.ask(.post, "goals?on_conflict=title", ["title": "B"], prefer: merge)
    #expect(noKey.refusal == "400 42P10")
    let unknown = await garden.ask(.post, "goals?on_conflict=x", ["title": "B"], prefer: merge)
    #expect(unknown.refusal == "400 42703")
  }

  @Test func `PUT inserts or replaces the row named by its key`() async {
    let path = "goals?select=title,description&id=eq.\(one)"
    let new = await garden.ask(
      .put, path, ["id": .string(one), "title": "A", "description": "d"], prefer: told)
    #expect(new.status == .created && new.text == #"[{"title":"A","description":"d"}]"#)
    #expect(new.headers[.preferenceApplied] == told)
    let changed = await garden.ask(
      .put, path, ["id": .string(one.lowercased()), "title": "B"],
      prefer: "resolution=ignore-duplicates,\(told)", headers: object)
    #expect(changed.status == .ok && changed.text == #"{"title":"B","description":"d"}"#)
    let minimal = await garden.ask(.put, path, ["id": .string(one), "title": "C"])
    #expect(minimal.status == .noContent && minimal.body.isEmpty)
    // Of several rows, only the one with that key is written.
    let rows: JSON = [["id": .string(two), "title": "X"], ["id": .string(one), "title": "D"]]
    #expect(await garden.ask(.put, path, rows).status == .noContent)
    #expect(await titles() == #"[{"title":"D"}]"#)
  }

  @Test func `PUT writes only the row named by its key`() async {
    let row: JSON = ["id": .string(one), "title": "A"]
    for target in [
      "goals", "goals?title=eq.A", "goals?id=eq.\(one)&title=eq.A", "goals?id=in.(\(one))",
      "goals?id=not.eq.\(two)", "goals?and=(id.eq.\(one))", "goals?id=eq(any).{\(one)}",
    ] {
      #expect(await garden.ask(.put, target, row).refusal == "405 PGRST105", "\(target)")
    }
    let path = "goals?id=eq.\(one)"
    #expect(await garden.ask(.put, "\(path)&limit=1", row).refusal == "400 PGRST114")
    #expect(await garden.ask(.put, "\(path)&offset=1", row).refusal == "400 PGRST114")
    for other in [["title": "A"], ["id": .string(two), "title": "A"], []] as [JSON] {
      #expect(await garden.ask(.put, path, other).refusal == "400 PGRST115", "\(other)")
    }
    #expect(await garden.ask(.put, "goals?id=eq.x", row).refusal == "400 22P02")
    #expect(await garden.ask(.put, path, row, by: .anonymous).refusal == "401 42501")
    #expect(await garden.ask(.put, "nothing?id=eq.\(one)", row).refusal == "404 PGRST205")
    #expect(await titles() == "[]")
  }

  @Test(arguments: ["", "&on_conflict=id", "&on_conflict=user_id,title"])
  func `one request cannot change a row twice`(
    target: String
  ) async {
    let rows: JSON = [
      ["id": .string(one), "title": "A", "description": "d"],
      ["id": .string(one.lowercased()), "title": "A", "description": "e"],
    ]
    let path = "goals?select=title,description\(target)"
    for _ in 0..<2 {
      let twice = await garden.ask(.post, path, rows, prefer: merge)
      #expect(twice.refusal == "400 21000")
      #expect(
        twice.json?["message"]?.text
          == "ON CONFLICT DO UPDATE command cannot affect row a second time")
      #expect(
        twice.json?["hint"]?.text
          == "Ensure that no rows proposed for insertion within the same command have duplicate constrained values."
      )
      // The first time nothing existed before; the second time the row did.
      _ = await garden.ask(.post, path, ["id": .string(one), "title": "A"], prefer: merge)
    }
    #expect(
      await garden.get("goals?select=title,description") == #"[{"title":"A","description":null}]"#)
    let other: JSON = [
      ["id": .string(two), "title": "B", "description": "d"],
      ["id": .string(two), "title": "B", "description": "e"],
    ]
    let ignored = await garden.ask(
      .post, path, other, prefer: "resolution=ignore-duplicates,\(told)")
    #expect(ignored.status == .created && ignored.text == #"[{"title":"B","description":"d"}]"#)
  }

  @Test func `rows that are visible and match are changed, and others stay`() async throws {
    for title in ["A", "B", "locked"] {
      _ = await garden.ask(.post, "goals", ["title": .string(title)])
    }
    _ = await garden.ask(.post, "goals", ["title": "Z"], by: .ben)
    let minimal = await garden.ask(.patch, "goals?title=eq.A", ["description": "d"])
    #expect(minimal.status == .noContent && minimal.body.isEmpty)
    #expect(minimal.headers[.contentRange] == "0-0/*")
    let all = await garden.ask(
      .patch, "goals?select=title,description&order=title.desc", ["description": "e"],
      prefer: "\(told),count=exact")
    #expect(all.text == #"[{"title":"B","description":"e"},{"title":"A","description":"e"}]"#)
    #expect(all.headers[.contentRange] == "0-1/2")
    let none = await garden.ask(.patch, "goals?title=eq.none", ["description": "x"], prefer: told)
    #expect(none.status == .ok && none.text == "[]")
    #expect(
      await garden.ask(.patch, "goals?title=eq.A", ["user_id": .string(Garden.ben.description)])
        .refusal == "403 42501")
    #expect(await garden.ask(.patch, "goals?title=eq.A", ["title": "B"]).refusal == "409 23505")
    #expect(await garden.ask(.patch, "goals?title=eq.A", ["title": nil]).refusal == "400 23502")
    #expect(await garden.ask(.patch, "goals?title=eq.A", ["twice": "x"]).refusal == "400 428C9")
    #expect(await garden.ask(.patch, "goals?title=eq.A", ["what": 1]).refusal == "400 PGRST204")
    #expect(await garden.ask(.patch, "goals?title=eq.A", [:], prefer: told).status == .ok)
    #expect(await garden.get("goals?select=description", by: .ben) == #"[{"description":null}]"#)
  }

  @Test func `rows are deleted, and returned as they were`() async {
    for title in ["A", "B", "locked"] {
      _ = await garden.ask(.post, "goals", ["title": .string(title)])
    }
    let gone = await garden.ask(.delete, "goals?title=eq.A&select=title", [:], prefer: told)
    #expect(gone.status == .ok && gone.text == #"[{"title":"A"}]"#)
    #expect(await garden.ask(.delete, "goals?title=eq.A", prefer: told).text == "[]")
    let rest = await garden.ask(.delete, "goals", prefer: "count=exact")
    #expect(rest.status == .noContent && rest.headers[.contentRange] == "*/1")
    #expect(await titles() == #"[{"title":"locked"}]"#)
  }

  @Test func `a write for one row that matches several changes nothing`() async {
    _ = await garden.ask(.post, "goals", [["title": "A"], ["title": "B"]])
    for (method, body) in [(.patch, ["description": "x"]), (.delete, nil)]
      as [(HTTPRequest.Method, JSON?)]
    {
      let many = await garden.ask(method, "goals", body, prefer: told, headers: object)
      #expect(many.refusal == "406 PGRST116")
      let none = await garden.ask(
        method, "goals?title=eq.none", body, prefer: told, headers: object)
      #expect(none.json?["details"] == "The result contains 0 rows")
    }
    let made = await garden.ask(
      .post, "goals", [["title": "C"], ["title": "D"]], prefer: told, headers: object)
    #expect(made.refusal == "406 PGRST116")
    let strict = await garden.ask(
      .delete, "goals", prefer: "handling=strict, max-affected=1")
    #expect(strict.refusal == "400 PGRST124")
    let few = await garden.ask(
      .delete, "goals?title=eq.none", prefer: "handling=strict, max-affected=1")
    #expect(few.headers[.preferenceApplied] == "handling=strict, max-affected=1")
    #expect(
      await garden.get("goals?select=title,description")
        == #"[{"title":"A","description":null},{"title":"B","description":null}]"#)
  }

  @Test(
    arguments: [
      ("handling=lenient, max-affected=1", "handling=lenient"),
      ("max-affected=1, handling=lenient", "handling=lenient"), ("max-affected=1", nil),
    ] as [(String, String?)])
  func `without strict handling no limit is applied, or reported as applied`(
    prefer: String, applied: String?
  ) async {
    _ = await garden.ask(.post, "goals", [["title": "A"], ["title": "B"]])
    for (method, body) in [(.patch, ["description": "x"]), (.delete, nil)]
      as [(HTTPRequest.Method, JSON?)]
    {
      let answer = await garden.ask(method, "goals", body, prefer: prefer)
      #expect(answer.status == .noContent && answer.headers[.preferenceApplied] == applied)
    }
    #expect(await titles() == "[]")
  }

  @Test func `a row that breaks a rule rolls back the rows before it`() async {
    let rows: JSON = [["title": "A", "mood": "calm"], ["title": "B", "mood": "wild"]]
    #expect(await garden.ask(.post, "goals", rows).refusal == "400 23514")
    let position = garden.book.read { $0.position }
    #expect(await titles() == "[]" && position == 2)
  }

  @Test func `rows of one body may refer to one another, and are deleted together`() async {
    let rows: JSON = [
      ["id": .string(two), "title": "part", "parent_id": .string(one)],
      ["id": .string(one), "title": "whole", "parent_id": nil],
    ]
    let made = await garden.ask(.post, "tasks?select=title", rows, prefer: merge)
    #expect(made.text == #"[{"title":"part"},{"title":"whole"}]"#)
    #expect(
      await garden.get("tasks?select=title,tasks(title),of:parent_id(title)&order=title")
        == #"[{"title":"part","tasks":[],"of":{"title":"whole"}},"#
        + #"{"title":"whole","tasks":[{"title":"part"}],"of":null}]"#)
    let gone = await garden.ask(.delete, "tasks?select=title&order=title.desc", prefer: told)
    #expect(gone.text == #"[{"title":"whole"},{"title":"part"}]"#)
    #expect(await garden.get("tasks") == "[]")
  }

  @Test func `the server sets timestamps that ascend for each account (DM-7, DM-8)`()
    async throws
  {
    var last = try updated(
      await garden.ask(
        .post, "goals", ["id": .string(two), "title": "A", "updated_at": "2001-01-01T00:00:00Z"],
        prefer: told))
    for number in 1...5 {
      let next = try updated(
        await garden.ask(
          .patch, "goals?id=eq.\(two)",
          ["title": .string("v\(number)"), "updated_at": "2001-01-01T00:00:00Z"], prefer: told))
      #expect(next > last)
      last = next
    }
  }

  @Test func `refused and empty writes do not advance the clock (DM-8)`() async throws {
    let first = try updated(await garden.ask(.post, "goals", ["title": "A"], prefer: told))
    for _ in 1...50 {
      #expect(await garden.ask(.post, "goals", ["title": nil]).status == .badRequest)
      #expect(await garden.ask(.patch, "goals?title=eq.none", ["title": "B"]).status == .noContent)
    }
    let second = try updated(await garden.ask(.post, "goals", ["title": "C"], prefer: told))
    #expect(second == first.advanced(byMilliseconds: 1))
  }

  @Test func `a long write that restarts is recorded once`() async {
    let rows = (1...25).map { JSON.object([.init("title", .string("Goal \(100 + $0)"))]) }
    #expect(await garden.ask(.post, "goals", .array(rows)).status == .created)
    let before = garden.book.read { $0.position }
    let changed = await garden.ask(
      .patch, "goals?title=like.Goal*&select=description", ["description": "New"], prefer: told)
    #expect(changed.json?.elements?.count == 25)
    #expect(garden.book.read { $0.position } == before + 25)
    #expect(await garden.ask(.delete, "goals?title=like.Goal*").status == .noContent)
    #expect(garden.book.read { $0.position } == before + 50)
    #expect(await titles() == "[]")
  }

  @Test func `a request may write a limited number of rows`() async {
    let rows = JSON.array(Array(repeating: ["title": "A"], count: 5001))
    #expect(await garden.ask(.post, "goals", rows).refusal == "413 54000")
    #expect(await titles() == "[]")
  }

  @Test
  func `the first of several preferences counts on any line, and unknown ones are ignored`()
    async
  {
    var headers: HTTPFields = [.prefer: "return=representation, colour=red"]
    headers.append(HTTPField(name: .prefer, value: "return=minimal,count=exact"))
    let made = await garden.ask(.post, "goals?select=title", ["title": "A"], headers: headers)
    #expect(made.text == #"[{"title":"A"}]"# && made.headers[.contentRange] == "*/1")
    #expect(made.headers[.preferenceApplied] == "return=representation, count=exact")
  }

  @Test func `a table without a writer is read-only`() async {
    let body: JSON = ["id": .string(one)]
    #expect(await garden.ask(.post, "notes", body).refusal == "403 42501")
    #expect(await garden.ask(.patch, "plants", ["number": 1], prefer: told).text == "[]")
    #expect(await garden.ask(.delete, "plants").status == .noContent)
  }
}
