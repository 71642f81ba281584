import Avro
import Catalogue
import Daybook
import DaybookStore

/// The tools of a session: a question or a command each, described by the columns by which it is read.
package struct ToolList: Sendable {
  /// The kind of request behind a tool; its raw value is the member that names the request.
  enum Verb: String {
    case ask
    case carryOut = "do"
  }

  /// A tool.
  struct Tool {
    let verb: Verb
    let name: String
    /// What a client is told about it.
    let description: JSON
    /// The arguments that it takes.
    let arguments: Set<String>
  }

  /// Commands that apps send for themselves, and nobody else: where notifications go, whose telephone numbers are known,
  /// what is paid, rows in the form of their tables. An assistant that was talked into one of these could not be noticed.
  static let commandsOfApps: Set = [
    "register_device", "unregister_device", "upload_contacts", "remove_contacts", "save_contact",
    "complete_onboarding", "request_upgrade", "upsert_label", "upsert_task", "undo_task",
  ]

  /// All tools, the questions first.
  let all: [Tool]
  private let places: [String: Int]

  /// Makes the list.
  ///
  /// - Parameters:
  ///   - isOwner: Whether the owner of the machine calls, who may ask about the whole book, and name the account that
  ///     asks or acts.
  ///   - canWrite: Whether commands are among the tools.
  ///   - names: The names of the only tools to offer; all unless given.
  package init(forOwner isOwner: Bool, canWrite: Bool, only names: Set<String>? = nil) {
    let questions = isOwner ? Catalogue.questions : Catalogue.accountQuestions
    var all = questions.map { type in
      Tool(
        .ask, type.form.name, type.form.summary, type.form.answer, type.schema,
        hiding: isOwner ? [] : ["as"])
    }
    if canWrite {
      // A mistaken clock could never be turned back, so commands are carried out now.
      let commands = Catalogue.accountCommands.filter {
        !Self.commandsOfApps.contains($0.form.name)
      }
      all += commands.map { type in
        Tool(
          .carryOut, type.form.name, type.form.summary, type.form.answer, type.schema,
          hiding: isOwner ? ["at"] : ["as", "at"])
      }
    }
    self.all = all.filter { names?.contains($0.name) ?? true }
    places = Dictionary(
      self.all.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// The names of the tools.
  package var names: [String] { all.map(\.name) }

  /// Whether any of the tools changes the book.
  var hasCommands: Bool { all.contains { $0.verb == .carryOut } }

  /// The tool with a name.
  subscript(name: String) -> Tool? { places[name].map { all[$0] } }
}

extension ToolList.Tool {
  fileprivate init(
    _ verb: ToolList.Verb, _ name: String, _ summary: String, _ answer: String, _ schema: JSON,
    hiding hidden: Set<String>
  ) {
    // The name is the tool's; the rest is said beside the schema. Clients pass schemas on to models whose makers take no
    // alternatives at the top, so which of two names is given is checked when the tool is called.
    let arguments = schema.withoutFields(hidden.union([verb.rawValue]))
    let left: Set = ["description", "answer", "anyOf"]
    let input = JSON.object((arguments.members ?? []).filter { !left.contains($0.name) })
    self.verb = verb
    self.name = name
    self.arguments = Set((input["properties"]?.members ?? []).map(\.name))
    description = [
      "name": .string(name), "description": .string("\(summary) Answers: \(answer)."),
      "inputSchema": input,
      "annotations": ["readOnlyHint": .bool(verb == .ask), "openWorldHint": false],
    ]
  }

  /// The request that a call means.
  ///
  /// - Parameter arguments: The arguments of the call.
  /// - Returns: The question or the command in its JSON form.
  /// - Throws: ``ToolFailure`` for an argument that the tool does not have.
  func request(_ arguments: [JSON.Member]) throws(ToolFailure) -> JSON {
    for argument in arguments where !self.arguments.contains(argument.name) {
      throw ToolFailure(
        RejectionCode.unknownField.rawValue, field: argument.name,
        "\(argument.name): \(name) has no such argument.")
    }
    return .object([.init(verb.rawValue, .string(name))] + arguments)
  }
}
