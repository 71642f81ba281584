import ArgumentParser
import Foundation

struct CompletionScripts: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "completions",
    abstract: "Completions for bash, zsh and fish, and the manual page; install them.",
    discussion: """
      Names of habits, tasks, goals, hives, recipes and people are completed, too, from the book \
      that the command line names.
      """,
    subcommands: [Install.self, Print.self], defaultSubcommand: Install.self)

  enum Kind: String, CaseIterable, ExpressibleByArgument {
    case bash, zsh, fish, man

    /// The script, generated from the declarations of the commands.
    var text: String {
      switch self {
      case .bash: DaybookCommand.completionScript(for: .bash)
      case .zsh: DaybookCommand.completionScript(for: .zsh)
      case .fish: DaybookCommand.completionScript(for: .fish)
      case .man: ManualPage.text
      }
    }

    /// The place where the shell looks for it, below the home directory.
    var place: String {
      switch self {
      case .bash: ".local/share/bash-completion/completions/daybook"
      case .zsh: ".local/share/zsh/site-functions/_daybook"
      case .fish: ".config/fish/completions/daybook.fish"
      case .man: ".local/share/man/man1/daybook.1"
      }
    }

    /// The remaining steps before the shell finds it.
    var hint: String {
      switch self {
      case .bash: "New shells use them, if bash-completion is installed."
      case .zsh:
        "In ~/.zshrc, before compinit: fpath=(~/.local/share/zsh/site-functions $fpath)"
      case .fish: "New shells use them."
      case .man: "`man daybook` shows it."
      }
    }
  }

  struct Print: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "print",
      abstract: "Write one of them to standard output.")
    @Argument(help: "Which: \(Kind.allCases.map(\.rawValue).joined(separator: ", ")).")
    var kind: Kind

    mutating func run() { Output.text(kind.text + (kind.text.hasSuffix("\n") ? "" : "\n")) }
  }

  struct Install: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "install",
      abstract:
        "Install your shell's completions and the manual page (the default)."
    )
    @Option(help: "The shell: bash, zsh or fish (default: $SHELL).")
    var shell: Kind?
    @Option(help: "The directory to put them below (default: $HOME).", completion: .directory)
    var home: String?

    mutating func validate() throws {
      guard shell != .man else { throw ValidationError("--shell: give bash, zsh or fish") }
    }

    func run() throws {
      let environment = ProcessInfo.processInfo.environment
      let usual = environment["SHELL"].flatMap { path in
        path.split(separator: "/").last.flatMap { Kind(rawValue: String($0)) }
      }
      guard let shell = shell ?? usual else {
        throw ValidationError("say which shell with --shell: bash, zsh or fish")
      }
      let home = home ?? environment["HOME"] ?? NSHomeDirectory()
      for kind in [shell, .man] { try write(kind, below: home) }
    }

    private func write(_ kind: Kind, below home: String) throws {
      let file = URL(fileURLWithPath: home).appendingPathComponent(kind.place)
      do {
        try FileManager.default.createDirectory(
          at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(kind.text.utf8).write(to: file, options: .atomic)
      } catch {
        throw CommandFailure(
          "not_written",
          "Could not write \(file.path); give a directory that you can write to with --home.")
      }
      Output.line("Wrote \(file.path). \(kind.hint)")
    }
  }
}
