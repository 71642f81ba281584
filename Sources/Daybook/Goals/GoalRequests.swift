public import Avro

extension CreateGoal: RequestBody {
  /// `key`, `title`, `description`.
  public init(_ reader: inout RequestReader) throws {
    self.init(
      key: try reader.optionalKey("key"), title: try reader.text("title"),
      description: try reader.optionalText("description"))
  }

  /// The goal's row.
  public func row(of answer: Goal.ID, in state: State) -> JSON { state.goalRow(answer) }
}

extension UpdateGoal: RequestBody {
  /// `goal`, and `title` or `description` as they change.
  public init(_ reader: inout RequestReader) throws {
    let goal = try reader.goal()
    self.init(
      goal, title: try reader.textEdit("title"),
      description: try reader.clearableEdit("description"))
  }

  /// The goal's row.
  public func row(of answer: Goal.ID, in state: State) -> JSON { state.goalRow(answer) }
}

extension DeleteGoal: RequestBody {
  /// `goal`.
  public init(_ reader: inout RequestReader) throws {
    self.init(try reader.goal())
  }

  /// The key of what is gone.
  public func row(of answer: Goal.ID, in state: State) -> JSON {
    ["id": .key(state.goals[answer]?.key), "deleted": true]
  }
}

extension State {
  fileprivate func goalRow(_ number: Goal.ID) -> JSON {
    goals[number].map { goalRow($0) } ?? .null
  }
}
