import Avro
import Daybook
import DaybookStore
import HTTPTypes
import PropertyTesting
import Testing
import Values
import Wire

@testable import DaybookTables

/// Logs named by their apps, against rows of a database with a primary key and a unique day.
@Suite(.tags(.law)) struct RowNamingLawTests {
  private static let habit = "00000000-0000-4000-8000-0000000000f1"

  /// A client's action: `id` and `to` are numbers of names, its own and those that rows were shown with; `day` and
  /// `toDay` are numbers of days.
  private enum Act: Sendable {
    case insert(day: Int, id: Int?)
    case upsertByDay(day: Int, id: Int?)
    case upsertByName(day: Int, id: Int)
    case move(id: Int, toDay: Int)
    case rename(day: Int, to: Int)
    case delete(id: Int)
    case clear(day: Int)
  }

  private static let acts = Generator<Act> { source in
    let day = try source.draw(Generator<Int>.integer(in: 1...4))
    let id = try source.draw(Generator<Int>.integer(in: 1...9))
    let isNamed = try source.draw(Generator<Int>.integer(in: 0...3)) > 0
    return switch try source.draw(Generator<Int>.integer(in: 0...6)) {
    case 0: .insert(day: day, id: isNamed ? id : nil)
    case 1: .upsertByDay(day: day, id: isNamed ? id : nil)
    case 2: .upsertByName(day: day, id: id)
    case 3: .move(id: id, toDay: try source.draw(Generator<Int>.integer(in: 1...4)))
    case 4: .rename(day: day, to: id)
    case 5: .delete(id: id)
    default: .clear(day: day)
    }
  }.array(count: 0...60)

  private static func name(_ id: Int, _ shown: [String]) -> String {
    id < 5 || shown.isEmpty
      ? "00000000-0000-4000-8000-00000000000\(id)" : shown[id % shown.count]
  }

  private static func date(_ day: Int) -> String { "2026-03-0\(day)" }

  /// Rows by day; a row that no client named has the name that the book made.
  private struct Model {
    var names: [Int: String] = [:]
    /// The names that rows were shown with so far, in the order of their first appearance.
    var shown: [String] = []

    private func name(_ id: Int) -> String { RowNamingLawTests.name(id, shown) }

    func day(of name: String) -> Int? { names.first { $0.value == name }?.key }

    /// Whether an action is refused; otherwise it is carried out. The book returns the names that it makes.
    mutating func refuses(_ act: Act, _ made: (Int) -> String) -> Bool {
      switch act {
      case .insert(let day, let id):
        if let id, self.day(of: name(id)) != nil { return true }
        if names[day] != nil { return true }
        names[day] = id.map { name($0) } ?? made(day)
      case .upsertByDay(let day, let id):
        if let id, let holder = self.day(of: name(id)), holder != day {
          return true
        }
        names[day] = id.map { name($0) } ?? names[day] ?? made(day)
      case .upsertByName(let day, let id):
        if let holder = self.day(of: name(id)), holder != day {
          if names[day] != nil { return true }
          names[holder] = nil
        }
        names[day] = name(id)
      case .move(let id, let day):
        guard let holder = self.day(of: name(id)), holder != day else {
          return false
        }
        if names[day] != nil { return true }
        names[day] = names.removeValue(forKey: holder)
      case .rename(let day, let id):
        guard names[day] != nil, self.day(of: name(id)) != day else {
          return false
        }
        if self.day(of: name(id)) != nil { return true }
        names[day] = name(id)
      case .delete(let id): self.day(of: name(id)).map { names[$0] = nil }
      case .clear(let day): names[day] = nil
      }
      return false
    }
  }

  @Test func `names are those that a database would have kept`() async throws {
    // A key that the book made for a row may belong to another by the time it would be made again.
    let again: [Act] = [
      .insert(day: 2, id: nil), .upsertByName(day: 3, id: 5), .upsertByName(day: 1, id: 5),
      .insert(day: 2, id: nil), .upsertByName(day: 3, id: 5),
    ]
    let report = await checkAwaiting("named logs", Self.acts, cases: 30, examples: [again]) {
      acts in
      var garden = try Garden()
      garden.schema = .together
      _ = await garden.ask(.post, "habits", ["id": .string(Self.habit), "name": "Walk"])
      var model = Model()
      for act in acts {
        let isRefused = await Self.isRefused(act, garden, model.shown)
        let shown = await Self.names(garden)
        try expectEqual(isRefused, model.refuses(act) { shown[$0] ?? "none" }, "\(act)")
        try expectEqual(shown, model.names, "\(act)")
        try expectEqual(Set(shown.values).count, shown.count, "\(act): names")
        model.shown += shown.sorted { $0.key < $1.key }.map(\.value).filter { name in
          !model.shown.contains(name)
        }
      }
    }
    #expect(report.passed, "\(report)")
  }

  private static func isRefused(_ act: Act, _ garden: Garden, _ shown: [String]) async -> Bool {
    func log(_ day: Int, _ id: Int?) -> JSON {
      let columns: [JSON.Member] = [
        .init("habit_id", .string(habit)), .init("log_date", .string(date(day))),
      ]
      return .object(columns + (id.map { [.init("id", .string(name($0, shown)))] } ?? []))
    }
    let merge = "resolution=merge-duplicates"
    let answer =
      switch act {
      case .insert(let day, let id): await garden.ask(.post, "habit_logs", log(day, id))
      case .upsertByDay(let day, let id):
        await garden.ask(
          .post, "habit_logs?on_conflict=habit_id,log_date", log(day, id), prefer: merge)
      case .upsertByName(let day, let id):
        await garden.ask(.post, "habit_logs", log(day, id), prefer: merge)
      case .move(let id, let day):
        await garden.ask(
          .patch, "habit_logs?id=eq.\(name(id, shown))", ["log_date": .string(date(day))])
      case .rename(let day, let id):
        await garden.ask(
          .patch, "habit_logs?log_date=eq.\(date(day))", ["id": .string(name(id, shown))])
      case .delete(let id): await garden.ask(.delete, "habit_logs?id=eq.\(name(id, shown))")
      case .clear(let day): await garden.ask(.delete, "habit_logs?log_date=eq.\(date(day))")
      }
    return answer.status.code >= 400
  }

  private static func names(_ garden: Garden) async -> [Int: String] {
    let rows = await garden.ask(.get, "habit_logs?select=id,log_date").json?.elements ?? []
    let pairs = rows.compactMap { row -> (Int, String)? in
      guard let day = row["log_date"]?.text?.last?.wholeNumberValue, let id = row["id"]?.text else {
        return nil
      }
      return (day, id)
    }
    return Dictionary(pairs) { first, _ in first }
  }
}
