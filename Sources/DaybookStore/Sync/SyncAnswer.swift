package import Avro
package import Daybook

/// What a book answers to a device (``SyncRequest``).
package struct SyncAnswer: Hashable, Sendable {
  /// How the device's lines compare with the book's.
  package enum Standing: String, Sendable {
    /// The device has the first of the book's lines; the next ones follow.
    case continues
    /// The account sees other things than it did: the device begins again without lines.
    case rescoped
    /// The scope is the same, but not the lines, or it is another one, and the book does not know the
    /// account's last command: it is another book, or was restored. No command was carried out.
    case diverged
    /// The device's commands are of another account than the one that signed in. None was carried
    /// out.
    case foreign

    /// Whether the request's commands are carried out.
    package var takesCommands: Bool { self == .continues || self == .rescoped }
  }

  /// What became of a command.
  package enum Outcome: Hashable, Sendable {
    /// It was recorded.
    case recorded
    /// It had been recorded before.
    case repeated
    /// It was accepted, and there was nothing to change.
    case unchanged
    /// It was refused, with a code and a sentence.
    case refused(code: String, message: String)

    /// The refusal of a command that would overtake a later one.
    static let overtaken = Self.refused(
      code: "overtaken",
      message:
        "It was refused or changed nothing when it first came, and a later command was recorded since."
    )

    /// Whether the command was refused because its `p_at` is after the book's clock.
    package var isUntimely: Bool {
      if case .refused(RejectionCode.futureInstant.rawValue, _) = self { true } else { false }
    }

    /// The name of the outcome.
    package var word: String {
      switch self {
      case .recorded: "recorded"
      case .repeated: "repeated"
      case .unchanged: "unchanged"
      case .refused: "refused"
      }
    }
  }

  /// The key of the account that signed in.
  package var account: Key
  /// The time by the book's clock.
  package var at: Instant
  package var standing: Standing
  /// The scope of the lines.
  package var scope: String
  /// What became of the commands, in their order; empty when none was carried out. They end early
  /// after a command whose `p_at` was refused because it is after the book's clock: what follows it
  /// must not overtake it.
  package var outcomes: [Outcome]
  /// The lines after those that the device has, each as ``BookReader/export(of:as:until:_:)`` writes it, without its
  /// line end.
  package var lines: [String]
  /// The lines that the device has with these.
  package var cursor: ChainDigest
  /// Whether there are more lines.
  package var hasMore: Bool

  /// The answer as JSON.
  package var json: JSON {
    [
      "ok": [
        "account": .string(account.description), "at": .string(at.description),
        "standing": .string(standing.rawValue), "scope": .string(scope),
        "outcomes": .array(
          outcomes.map { outcome in
            var members = [JSON.Member("outcome", .string(outcome.word))]
            if case .refused(let code, let message) = outcome {
              members.append(.init("code", .string(code)))
              members.append(.init("message", .string(message)))
            }
            return .object(members)
          }),
        "lines": .array(lines.map { .string($0) }),
        "cursor": .string(cursor.description), "more": .bool(hasMore),
      ]
    ]
  }

  package init(
    account: Key, at: Instant, standing: Standing, scope: String, outcomes: [Outcome],
    lines: [String], cursor: ChainDigest, hasMore: Bool
  ) {
    self.account = account
    self.at = at
    self.standing = standing
    self.scope = scope
    self.outcomes = outcomes
    self.lines = lines
    self.cursor = cursor
    self.hasMore = hasMore
  }

  /// Reads an answer; nil when it has another form.
  package init?(json: JSON) {
    guard let json = json["ok"], let account = json["account"]?.text.flatMap({ Key($0) }),
      let at = json["at"]?.text.flatMap({ Instant($0) }),
      let standing = json["standing"]?.text.flatMap({ Standing(rawValue: $0) }),
      let scope = json["scope"]?.text, let outcomes = json["outcomes"]?.elements,
      let lines = json["lines"]?.elements,
      let cursor = json["cursor"]?.text.flatMap({ ChainDigest($0) }),
      let hasMore = json["more"]?.boolean
    else { return nil }
    self.init(
      account: account, at: at, standing: standing, scope: scope,
      outcomes: outcomes.compactMap(Outcome.init), lines: lines.compactMap(\.text),
      cursor: cursor, hasMore: hasMore)
    guard self.lines.count == lines.count, self.outcomes.count == outcomes.count else { return nil }
  }
}

extension SyncAnswer.Outcome {
  fileprivate init?(_ json: JSON) {
    switch json["outcome"]?.text {
    case "recorded": self = .recorded
    case "repeated": self = .repeated
    case "unchanged": self = .unchanged
    case "refused":
      guard let code = json["code"]?.text, let message = json["message"]?.text else { return nil }
      self = .refused(code: code, message: message)
    default: return nil
    }
  }

  /// The outcome of a command, without the positions of others' entries that are in it.
  ///
  /// - Parameters:
  ///   - outcome: The outcome.
  ///   - head: The position of the book's last entry before the command was sent.
  init(_ outcome: RequestOutcome, after head: Int64) {
    let json = outcome.json
    let position = json["position"]?.integer
    if let error = json["error"] {
      // With a position, the command was carried out before, and its row is withheld now.
      self =
        position == nil
        ? .refused(code: error["code"]?.text ?? "", message: error["message"]?.text ?? "")
        : .repeated
    } else if json["changed"]?.boolean != true {
      self = .unchanged
    } else {
      self = Int64(position ?? 0) <= head ? .repeated : .recorded
    }
  }
}
