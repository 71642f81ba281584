import Avro
import Daybook
import DaybookStore
import Testing

/// The refusal of a command without a required field uses this command's name for the field, and never another
/// command's.
@Suite(.tags(.law)) struct MissingFieldTests {
  private typealias World = ForeignActorTests.World

  /// Names that may have been sent instead: other commands and functions use them for the field.
  private static func otherNames(of field: String) -> Set<String> {
    let ours = Rejection.otherNames[field] ?? []
    let theirs = Rejection.otherNames.filter { $0.value.contains(field) }.keys
    let argument = field.hasPrefix("p_") ? String(field.dropFirst(2)) : "p_\(field)"
    return Set(ours + theirs + [argument]).subtracting([field])
  }

  /// Each field that a command needs, with its alternative, if there is one.
  static let needed: [(command: String, field: String, alternative: String?)] =
    Request.columnTypes.flatMap { type in
      type.columns.filter { $0.isNeeded || $0.orElse != nil }
        .map { (command: type.form.name, field: $0.name, alternative: $0.orElse) }
    }

  @Test func `a missing field has the name that its own command gives it`()
    throws
  {
    let world = try World(erasing: false)
    let before = world.book.read { $0.position }
    for (name, field, alternative) in Self.needed {
      let row = try #require(ForeignActorTests.matrix[name])
      let members = try #require(try JSON(parsing: "{\(row.fields)}").members)
      let sent = members.filter { $0.name == field || $0.name == alternative }
      let value = try #require(sent.first?.value, "\(name) has no \(field)")
      let rest = members.filter { $0.name != field && $0.name != alternative }
      let type = try #require(Request.columnTypes.first { $0.form.name == name })
      let own = type.columns.map(\.name)
      let others = Self.otherNames(of: field).subtracting(own).sorted()
      for other in [nil] + others.map({ $0 as String? }) {
        var parts = [JSON.Member("do", .string(name)), .init("as", .string(World.key(1, 1)))]
        parts += rest
        if let other { parts.append(.init(other, value)) }
        let line = JSON.object(parts)
        let error = try world.book.record(line: line.encoded).json["error"]
        let told = error?["field"]?.text ?? ""
        #expect(error?["code"]?.text == "missing_field", "\(line.encoded)")
        #expect(told == field || told == alternative, "\(line.encoded): \(told)")
        #expect(error?["message"]?.text?.hasPrefix("\(told): ") == true, "\(line.encoded)")
      }
    }
    #expect(world.book.read { $0.position } == before)
  }

  @Test(arguments: [
    (#"{"do":"create_hive","p_name":"Bees"}"#, "name"),
    (#"{"do":"log_habit","p_habit_id":"\#(World.key(2, 1))"}"#, "habit"),
    (#"{"do":"complete_task","id":"\#(World.key(8, 1))"}"#, "task"),
    (#"{"do":"create_hive_from_habit","habit":"\#(World.key(2, 1))"}"#, "p_habit_id"),
    (#"{"do":"link_identity","kind":"phone","p_value":"+15552345678"}"#, "value"),
    (#"{"do":"join_hive_with_code","code":"00000000000a"}"#, "p_code"),
    (#"{"do":"upload_contacts"}"#, "phones"),
  ])
  func `a field sent under another command's name counts as missing`(
    line: String, field: String
  ) throws {
    let world = try World(erasing: false)
    let ada = try #require(Account.ID(1))
    let error = try world.book.record(line: line, by: ada).json["error"]
    #expect(error?["code"]?.text == "missing_field" && error?["field"]?.text == field)
  }
}
