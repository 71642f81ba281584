package import Avro
package import Daybook
import Values

/// A file of another program that an account brings to a server, whatever it holds (DM-13).
package struct FileImport: Sendable {
  /// The formats, by the names of the program's `import` commands.
  package enum Format: String, CaseIterable, Sendable {
    case loop, habitbull, tickmate, todoist, taskwarrior, recipe, ics
  }

  package let format: Format
  /// The file's name, for errors.
  package let name: String
  package let bytes: [UInt8]

  /// - Parameters:
  ///   - bytes: The file.
  ///   - format: Its format.
  ///   - name: Its name, for errors.
  package init(_ bytes: [UInt8], as format: Format, named name: String) {
    self.format = format
    self.name = Limit.name.cut(name.isEmpty ? "the file" : name)
    self.bytes = bytes
  }

  /// Records what the file holds, in one commit. What an earlier import brought is left alone.
  ///
  /// - Parameters:
  ///   - book: The book.
  ///   - account: The account that gets it. Recipes and calendars go to its household.
  ///   - recording: The times at which habits' days are recorded.
  ///   - isTrial: Whether to record nothing and only report what would be done.
  /// - Returns: What the program's command answers in JSON.
  /// - Throws: ``ExchangeError``, ``Rejection`` or `JournalError`; then nothing changed.
  package func record(
    in book: Book, for account: Account.ID, recorded recording: HabitImport.Recording = .now,
    trying isTrial: Bool
  ) throws -> JSON {
    switch format {
    case .loop: try habits(.loop, book, account, recording, isTrial)
    case .habitbull: try habits(.habitBull, book, account, recording, isTrial)
    case .tickmate: try habits(.tickmate, book, account, recording, isTrial)
    case .todoist: try tasks(.todoist, book, account, isTrial)
    case .taskwarrior: try tasks(.taskwarrior, book, account, isTrial)
    case .recipe: try recipes(book, account, isTrial)
    case .ics: try calendar(book, account, isTrial)
    }
  }

  private func habits(
    _ program: HabitExport.Program, _ book: Book, _ account: Account.ID,
    _ recording: HabitImport.Recording, _ isTrial: Bool
  ) throws -> JSON {
    let export = try HabitExport(of: bytes, named: name, from: program)
    let summary = try book.importHabits(
      export, for: .existing(account), recorded: recording, trying: isTrial)
    return summary.json(recorded: recording.rawValue, trying: isTrial)
  }

  private func tasks(
    _ program: TaskExport.Program, _ book: Book, _ account: Account.ID, _ isTrial: Bool
  ) throws -> JSON {
    let export = try TaskExport(of: bytes, named: name, from: program)
    return try book.importTasks(export, for: account, trying: isTrial).json(trying: isTrial)
  }

  private func recipes(_ book: Book, _ account: Account.ID, _ isTrial: Bool) throws -> JSON {
    let found = try RecipeFiles.found(of: bytes, named: name)
    let recipes = try book.importRecipes(
      found, into: try household(of: account, in: book), for: account, trying: isTrial)
    return [
      "recipes": .array(recipes.map { $0.json(trying: isTrial) }), "dry_run": .bool(isTrial),
    ]
  }

  private func calendar(_ book: Book, _ account: Account.ID, _ isTrial: Bool) throws -> JSON {
    let command = ImportCalendar(bytes, into: try household(of: account, in: book))
    let row = try book.transaction(trying: isTrial) { (batch: inout Batch) throws -> JSON in
      command.row(of: try batch.record(command, by: account), in: batch.state)
    }
    return .object((row.members ?? []) + [.init("dry_run", .bool(isTrial))])
  }

  /// The household of an account, which is its first one.
  private func household(of account: Account.ID, in book: Book) throws -> Household.ID {
    guard let household = book.read({ $0.households(of: account).first }) else {
      throw Rejection.householdNotFound
    }
    return household
  }
}
