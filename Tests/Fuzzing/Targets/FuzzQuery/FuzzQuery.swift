import Avro
import Daybook
import DaybookStore
import DaybookTables
import Dispatch
import Fuzzing
import HTTPTypes
import Synchronization
import Wire

/// Queries of the tables, and bodies written to them: each is answered or refused, in JSON with all that clients need.
///
/// The first line is the query; what follows is the body of a write.
@c(LLVMFuzzerTestOneInput)
public func fuzzQuery(_ start: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
  var input = Input(start, count: count)
  let query = WireQuery(encoded: String(decoding: input.take(upTo: 0x0A) ?? [], as: UTF8.self))
  check(WireRequest(.get, ["plants"], query: query))
  check(WireRequest(.get, ["rpc", "double"], query: query))
  let body = Array(input.rest)
  guard !body.isEmpty else { return 0 }
  for method in [HTTPRequest.Method.post, .patch] {
    check(WireRequest(method, ["plants"], query: query, body: body))
  }
  check(WireRequest(.post, ["rpc", "double"], query: query, body: body))
  return 0
}

private func check(_ request: WireRequest) {
  let response = answer(request)
  hold(response.status.code < 500, "a query is no failure of the server")
  guard !response.body.isEmpty else { return }
  let json = succeed("an answer is JSON") { try JSON(parsing: response.body) }
  guard response.status.code >= 400 else { return }
  let names = json.members?.map(\.name) ?? []
  hold(names == ["code", "details", "hint", "message"], "a refusal has all four members")
  hold(json["message"]?.text?.isEmpty == false, "a refusal says why")
}

/// Answers while the fuzzer waits.
private func answer(_ request: WireRequest) -> WireResponse {
  let (garden, done, slot) = (Garden.shared, DispatchSemaphore(value: 0), Slot())
  Task.detached {
    slot.keep(await garden.service.answer(request, in: garden.schema, by: .account(garden.ada)))
    done.signal()
  }
  done.wait()
  guard let answer = slot.answer else { fatalError("a request is answered") }
  return answer
}

/// What was answered, on whichever thread.
private final class Slot: Sendable {
  private let kept = Mutex<WireResponse?>(nil)

  var answer: WireResponse? { kept.withLock { $0 } }
  func keep(_ response: WireResponse) { kept.withLock { $0 = response } }
}

/// A service over a small table with a column of each type, and one that embeds it.
private struct Garden: Sendable {
  static let shared = Garden()

  let ada = Key(high: 1, low: 1)
  let service: TableService
  let schema: TableSchema

  init() {
    let book = Book.inMemory(clock: BookClock(now: { Instant(clamping: 1_773_144_000_000) }))
    let key = ada
    _ = succeed("an account is made") {
      try book.record(CreateAccount(key: key, timeZone: "Europe/Berlin"))
    }
    service = TableService(book)
    let plants = AppTable(
      "plants",
      [
        TableColumn("id", .uuid, defaultValue: .freshKey),
        TableColumn("name", .text, isNullable: true),
        TableColumn("number", .integer, isNullable: true),
        TableColumn("height", .decimal, isNullable: true),
        TableColumn("is_wild", .bool, isNullable: true),
        TableColumn("sown", .date, isNullable: true),
        TableColumn("seen_at", .timestamp, isNullable: true),
        TableColumn("at", .time, isNullable: true),
        TableColumn("data", .json, isNullable: true),
        TableColumn("tags", .textArray, isNullable: true),
        TableColumn("kind", .enumeration(["tree", "herb"]), isNullable: true),
        TableColumn("next", .uuid, isNullable: true),
      ], foreignKeys: [ForeignKey("next", of: "plants", to: "plants")]
    ) { _, _, take in
      for number in 0..<8 as Range<Int64> {
        try take(
          Row([
            .uuid(Key(high: 7, low: UInt64(number))),
            number == 3 ? .null : .text("plant \(number)"),
            .integer(number), .decimal("\(number).50"), .bool(number % 2 == 0),
            .date(Day(clampingNumber: 20_000 + Int(number))),
            .timestamp(Instant(clamping: 1_767_323_045_678 + number)), .text("07:3\(number)"),
            .json(["size": .number(number), "parts": ["leaf", nil, 2]]), .array(["a", "b c"]),
            .text("tree"), .uuid(Key(high: 7, low: UInt64((number + 1) % 8))),
          ]))
      }
    }
    schema = TableSchema(
      "garden", [plants],
      functions: [
        RemoteFunction(
          "double", [.init("value", .integer), .init("day", .date, defaultValue: .null)],
          isReadOnly: true
        ) { arguments, _ in .rows([arguments.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }])
        }
      ])
  }
}
