import Avro
import Calendar
import Daybook
import DaybookStore
import DaybookTables
import HTTPTypes
import Values
import Wire

/// A service over small tables: rows in an array, and goals and habits of a book.
struct Garden {
  static let ada = Key(high: 1, low: 1)
  static let ben = Key(high: 1, low: 2)

  let book: Book
  var service: TableService
  var schema: TableSchema

  init(plants: [Row] = Garden.plants, rowLimit: Int = 1000) throws {
    let clock = BookClock(now: { Instant(clamping: 1_773_144_000_000) })
    book = Book.inMemory(clock: clock)
    for key in [Self.ada, Self.ben] {
      try book.record(CreateAccount(key: key, timeZone: "Europe/Berlin"))
    }
    service = TableService(book, rowLimit: rowLimit)
    schema = TableSchema(
      "garden",
      [
        .plants(plants), .beds, .pairs, .goals(), .habits, .tasks,
        AppTable("notes", [TableColumn("id", .uuid)]) { _, _, _ in },
      ], functions: .garden)
  }

  /// Sends a request, and returns the answer.
  @discardableResult
  func ask(
    _ method: HTTPRequest.Method, _ target: String, _ body: JSON? = nil, bytes: [UInt8]? = nil,
    prefer: String? = nil, headers: HTTPFields = HTTPFields(),
    by viewer: Viewer = .account(Garden.ada)
  ) async -> WireResponse {
    let parts = target.split(separator: "?", maxSplits: 1)
    var headers = headers
    if let prefer { headers[.prefer] = prefer }
    let request = WireRequest(
      method, parts[0].split(separator: "/").map(String.init),
      query: WireQuery(encoded: parts.count > 1 ? String(parts[1]) : ""), headers: headers,
      body: bytes ?? body.map { Array($0.encoded.utf8) } ?? [])
    return await service.answer(request, in: schema, by: viewer)
  }

  /// The raw body of the answer to a read.
  func get(_ target: String, by viewer: Viewer = .account(Garden.ada)) async -> String {
    await ask(.get, target, by: viewer).text
  }

  /// The numbers of the plants in an answer, in order.
  func numbers(_ query: String) async -> [Int]? {
    let json = try? JSON(parsing: await ask(.get, "plants?select=number&\(query)").body)
    return json?.elements?.compactMap { $0["number"]?.integer }
  }
}

extension HTTPField.Name {
  static var prefer: Self { name("Prefer") }
  static var rangeUnit: Self { name("Range-Unit") }
  static var acceptProfile: Self { name("Accept-Profile") }
  static var contentProfile: Self { name("Content-Profile") }
  static var preferenceApplied: Self { name("Preference-Applied") }
  static var proxyStatus: Self { name("Proxy-Status") }

  private static func name(_ name: String) -> Self { Self(name) ?? .via }
}

extension WireResponse {
  var text: String { String(decoding: body, as: UTF8.self) }
  var json: JSON? { try? JSON(parsing: body) }
  /// The status and code of a refusal: `400 PGRST100`.
  var refusal: String { "\(status.code) \(json?["code"]?.text ?? "-")" }
}

extension Viewer {
  static let ben = Viewer.account(Garden.ben)
}

// MARK: Rows in an array

extension Garden {
  /// A plant by its number, from which its columns follow.
  static func plant(_ number: Int64) -> Row {
    let names = ["ash", "Beech", "b,c", "q\"t", "(p)"]
    let tags = [["red", "tall"], [], ["red"], ["a b", "tall"], ["green"]]
    let place = Int(number % 5)
    return Row([
      .uuid(Key(high: 7, low: UInt64(number))), .integer(number),
      place == 1 ? .null : .text(names[place]), .bool(number % 2 == 0),
      .text(number % 2 == 0 ? "tree" : "herb"), .decimal("\(number).50"),
      .timestamp(Instant(clamping: 1_767_323_045_678 + number * 1000)),
      .date(Day(clampingNumber: 20_000 + Int(number))),
      .json([
        "log_date": .string("2026-01-0\(number % 9 + 1)"), "size": .number(number),
        "parts": [.object([.init("name", "leaf")]), 2],
      ]),
      .array(tags[place]), number % 3 == 2 ? .null : .uuid(Key(high: 8, low: UInt64(number % 3))),
    ])
  }

  static let plants = (0..<5).map { plant(Int64($0)) }
}

extension AppTable {
  fileprivate static func plants(_ rows: [Row]) -> AppTable {
    AppTable(
      "plants",
      [
        TableColumn("id", .uuid), TableColumn("number", .integer),
        TableColumn("name", .text, isNullable: true),
        TableColumn("is_even", .bool), TableColumn("kind", .enumeration(["tree", "herb"])),
        TableColumn("height", .decimal), TableColumn("seen_at", .timestamp),
        TableColumn("sown", .date),
        TableColumn("data", .json), TableColumn("tags", .textArray),
        TableColumn("bed_id", .uuid, isNullable: true),
      ], foreignKeys: [ForeignKey("bed_id", of: "plants", to: "beds")]
    ) { _, bounds, take in
      for row in rows where bounds.keys("id").map({ $0.contains(row.key) }) ?? true {
        try take(row)
      }
    }
  }

  fileprivate static var beds: AppTable {
    AppTable("beds", [TableColumn("id", .uuid), TableColumn("place", .text)]) { _, _, take in
      for (number, place) in ["north", "south", "none"].enumerated() {
        try take(Row([.uuid(Key(high: 8, low: UInt64(number))), .text(place)]))
      }
    }
  }

  /// Further beds of plants, besides the one in which each stands.
  fileprivate static var pairs: AppTable {
    AppTable(
      "pairs", [TableColumn("plant", .uuid), TableColumn("bed", .uuid)],
      primaryKey: ["plant", "bed"],
      foreignKeys: [
        ForeignKey("plant", of: "pairs", to: "plants"), ForeignKey("bed", of: "pairs", to: "beds"),
      ]
    ) { _, _, take in
      for (plant, bed) in [(0, 0), (0, 1), (1, 1)] as [(UInt64, UInt64)] {
        try take(Row([.uuid(Key(high: 7, low: plant)), .uuid(Key(high: 8, low: bed))]))
      }
    }
  }
}

extension Row {
  /// The key in the first column.
  var key: Key {
    if case .uuid(let key) = values[0] { key } else { Key(high: 0, low: 0) }
  }
}

// MARK: Functions

extension [RemoteFunction] {
  fileprivate static var garden: [RemoteFunction] {
    [
      RemoteFunction(
        "double", [.init("p_value", .integer), .init("p_on", .date, defaultValue: .null)],
        isReadOnly: true
      ) { arguments, _ in
        guard case .integer(let value) = arguments["p_value"] else { return .scalar(.null) }
        return .scalar(.integer(value * 2))
      },
      RemoteFunction("today", [], isReadOnly: true) { _, _ in .scalar(.date("2026-01-02")) },
      RemoteFunction("set_goal", [.init("p_title", .text)]) { arguments, write in
        guard case .text(let title) = arguments["p_title"] else { throw TableError.raised("none") }
        let goal = try write.record(CreateGoal(title: title))
        if title == "bad" { throw TableError.raised("bad title") }
        let key = write.batch.state.goals[goal]?.key ?? Garden.ada
        return .row(table: "goals", key: ["id": .uuid(key)])
      },
      RemoteFunction("several", [], isReadOnly: true) { _, _ in
        .rows((1...3).map { [("n", .integer($0)), ("even", .bool($0 % 2 == 0))] })
      },
      RemoteFunction("one", [], isReadOnly: true) { _, _ in .rows([[("n", .integer(1))]]) },
      RemoteFunction("nothing", []) { _, _ in .void },
    ]
  }
}
