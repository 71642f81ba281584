import ArgumentParser
import Daybook

/// The command-line equivalents of the commands that `apply` takes.
enum CommandWords {
  /// The command-line equivalent of a command.
  enum Words {
    /// The arguments after `daybook`.
    case words(String)
    /// No equivalent, for this reason.
    case applyOnly(String)
  }

  /// The equivalent of each command, by name.
  static let all: [String: Words] = {
    var all = applyOnly.mapValues { Words.applyOnly($0) }
    add(DaybookCommand.self, [], to: &all)
    return all
  }()

  /// Adds the words of a command of the program, and of its subcommands.
  private static func add(
    _ command: any ParsableCommand.Type, _ words: [String], to all: inout [String: Words]
  ) {
    if let recording = command as? any RecordingCommand.Type {
      for name in recording.records.map({ $0.form.name }) {
        let option = recording.options[name].map { [$0] } ?? []
        all[name] = .words((words + option).joined(separator: " "))
      }
    }
    for subcommand in command.configuration.subcommands {
      add(subcommand, words + [subcommand._commandName], to: &all)
    }
  }

  private static let applyOnly = [
    "complete_onboarding": "the first steps in an app; `profile edit` and `habits add` do the same",
    "link_identity": "sent by the program that verifies it, such as a server that signs people in",
    "verify_identity":
      "sent by the program that verifies it, such as a server that signs people in",
    "unlink_identity":
      "sent by the program that verifies it, such as a server that signs people in",
    "register_device": "a phone's token, which its app knows",
    "unregister_device": "a phone's token, which its app knows",
    "upload_contacts": "a phone's address book, which its app knows",
    "remove_contacts": "a phone's address book, which its app knows",
    "save_contact": "a phone's address book, which its app knows",
    "name_row": "an app's names for its rows, which only the app knows",
    "request_upgrade": "sent by an app when somebody wants its paid version",
    "post_activity": "an app's post about its person; `log` and `hives log` record the day itself",
    "upsert_task": "rows of another program, in bulk; `task add` and `task edit` are for people",
    "upsert_label":
      "rows of another program, in bulk; `labels add` and `labels edit` are for people",
    "user_local_date": "a question of programs; `today` shows the day",
  ]
}

/// A command of the program that records commands of a book.
protocol RecordingCommand: ParsableCommand {
  /// The commands that it records.
  static var records: [any ColumnCommand.Type] { get }
  /// The option with which it records a command, by the name of that command; without one, none is needed.
  static var options: [String: String] { get }
}

extension RecordingCommand {
  static var options: [String: String] { [:] }
}
