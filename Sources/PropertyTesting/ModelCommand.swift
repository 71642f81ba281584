/// A command of a model-based test; it runs on the system under test, and on a model that defines the correct
/// result.
///
/// ```swift
/// enum BufferCommand: ModelCommand {
///   case append(Int), removeFirst
///
///   func isAllowed(in model: [Int]) -> Bool {
///     if case .removeFirst = self { !model.isEmpty } else { true }
///   }
/// }
/// ```
///
/// A sequence of commands is a value like any other: ``Generator/commands(from:count:_:)`` generates it, it
/// shrinks, and it is replayed from a seed.
public protocol ModelCommand: Sendable {
  /// The expected state, in its simplest form.
  associatedtype Model: Sendable
  /// The type of the system under test.
  associatedtype System

  /// Whether the command is allowed in a state; by default it always is.
  func isAllowed(in model: Model) -> Bool

  /// Applies the command's intended effect to the model.
  func apply(to model: inout Model)

  /// Runs the command on the system, and compares the result with the model.
  ///
  /// - Parameters:
  ///   - system: The system under test.
  ///   - model: The expected state before the command.
  /// - Throws: ``Falsified`` or any other error when the system is wrong.
  func run(on system: inout System, model: Model) throws
}

extension ModelCommand {
  /// By default every state allows the command.
  public func isAllowed(in model: Model) -> Bool { true }
}

extension Generator {
  /// Sequences of commands, each allowed in the state after those before it; shorter ones are simpler.
  ///
  /// A command that is no longer allowed during shrinking, because an earlier one is gone, is dropped as
  /// well: every sequence respects the preconditions.
  ///
  /// - Parameters:
  ///   - model: The initial state.
  ///   - count: The number of commands; fewer if a hundred proposals in a row are not allowed.
  ///   - next: The generator of commands for a state.
  /// - Returns: A generator of sequences; to run one, see ``Swift/Sequence/run(on:from:)``.
  public static func commands<Command: ModelCommand>(
    from model: Command.Model, count: ClosedRange<Int>,
    _ next: @escaping @Sendable (Command.Model) throws -> Generator<Command>
  ) -> Generator where Value == [Command] {
    Generator { source in
      var model = model
      var commands: [Command] = []
      try source.repeated(count) { source in
        let command = try source.attempt(tries: 100) { source -> Command? in
          let command = try source.draw(next(model))
          return command.isAllowed(in: model) ? command : nil
        }
        guard let command else { return }
        command.apply(to: &model)
        commands.append(command)
      }
      return commands
    }
  }
}

extension Sequence where Element: ModelCommand {
  /// Runs the commands in order on the system and on the model.
  ///
  /// - Parameters:
  ///   - system: The system under test.
  ///   - model: The initial state, the same as for the generator.
  /// - Throws: The error of a command; a ``Falsified`` names the command.
  public func run(on system: inout Element.System, from model: Element.Model) throws {
    var model = model
    for (index, command) in enumerated() {
      do {
        try command.run(on: &system, model: model)
      } catch let error as Falsified {
        throw Falsified(
          "command \(index + 1), \(describe(command)): \(error.message)", fileID: error.fileID,
          line: error.line)
      }
      command.apply(to: &model)
    }
  }
}
