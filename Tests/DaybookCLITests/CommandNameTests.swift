import ArgumentParser
import Testing

@testable import DaybookCLI

/// What ArgumentParser reads at each start.
@Suite(.tags(.unit)) struct CommandNameTests {
  @Test
  func `every command declares its name, because deriving it costs two fifths of a start`() {
    var commands: [any ParsableCommand.Type] = [DaybookCommand.self]
    var count = 0
    while let command = commands.popLast() {
      #expect(command.configuration.commandName != nil, "\(command)")
      commands += command.configuration.subcommands
      count += 1
    }
    #expect(count > 100)
  }
}
