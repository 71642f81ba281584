import Avro
import Daybook
import DaybookStore
import PropertyTesting
import Testing

/// What follows from a command's columns: reading and writing its JSON, and its JSON Schema.
@Suite(.tags(.law)) struct ColumnTests {
  private static let stage: Result<ColumnStage, any Error> = Result { try ColumnStage() }

  /// The commands, by name.
  static let names: [String] = Request.columnTypes.map { $0.form.name }

  @Test(arguments: names)
  func `a command's JSON is the same after reading, writing and reading`(_ name: String) throws {
    let stage = try Self.stage.get()
    let schema = try stage.schema(name)
    let commands = stage.sent(schema) { _ = try stage.read($0) }
    let report = check("\(name) as JSON", commands, cases: 6) { json in
      let request = try stage.read(json)
      guard let written = request.json(in: stage.state) else { throw Falsified("no JSON") }
      let fault = schemaFault(of: written, schema)
      try holds(fault == nil, "\(written.encoded) breaks its schema at \(fault ?? "")")
      let again = try stage.read(written)
      try holds("\(again.body)" == "\(request.body)", written.encoded)
      try holds(again.json(in: stage.state) == written, written.encoded)
    }
    #expect(report.passed, "\(report)")
  }

  @Test(arguments: names)
  func `a column that violates its schema is refused by name`(_ name: String) throws {
    let stage = try Self.stage.get()
    let schema = try stage.schema(name)
    let commands = stage.broken(schema) { _ = try stage.read($0) }
    let report = check("\(name) broken", commands, cases: 16) { broken in
      do { _ = try stage.read(broken.json) } catch let rejection as Rejection {
        return try holds(
          rejection.field == broken.column, "\(broken.json.encoded): \(rejection)")
      }
      // Bounds are a rule of the command, which may ignore the column; a column's form is checked always.
      let bare = schema["properties"]?[broken.column].map(withoutBounds) ?? true
      if let value = broken.json[broken.column], schemaFault(of: value, bare) == nil { return }
      throw Falsified("\(broken.json.encoded) is taken")
    }
    #expect(report.passed, "\(report)")
  }

  private func holds(_ condition: Bool, _ words: String) throws {
    if !condition { throw Falsified(words) }
  }
}
