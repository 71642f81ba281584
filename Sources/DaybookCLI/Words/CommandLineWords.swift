import ArgumentParser

/// Normalises the arguments of a command line to the form in which the commands are declared.
enum CommandLineWords {
  /// The arguments for the parser: options follow the command, no command means `today`, and singular and
  /// plural are equivalent.
  ///
  /// - Throws: `ValidationError` that suggests a correction for a mistyped command.
  static func understood(_ given: [String]) throws -> [String] {
    var words = rearranged(given)
    guard let first = words.first, !first.hasPrefix("-"), first != "help" else {
      return isBare(given) ? ["today"] + words : words
    }
    let command = try command(first)
    words[0] = twin(of: command, before: words.dropFirst().first) ?? command._commandName
    if let command = subcommand(words[0], of: DaybookCommand.self), words.count > 1 {
      try check(words[1], of: command)
    }
    return words
  }

  /// Whether the arguments name no command: `daybook`, `daybook --book DIR`.
  static func isBare(_ given: [String]) -> Bool { split(given).rest.isEmpty }

  /// Whether the arguments ask for JSON.
  static func wantJSON(_ given: [String]) -> Bool {
    given.prefix { $0 != "--" }.contains("--json")
  }

  /// Moves `--book DIR`, `--json` and the screen options from before the command to after it, where the
  /// parser expects them: `daybook --book DIR today` becomes `daybook today --book DIR`.
  private static func rearranged(_ given: [String]) -> [String] {
    let (leading, rest) = split(given)
    guard !rest.isEmpty else { return given }
    let end = rest.firstIndex(of: "--") ?? rest.endIndex
    return Array(rest[..<end]) + leading + Array(rest[end...])
  }

  private static func split(_ given: [String]) -> (leading: [String], rest: ArraySlice<String>) {
    var leading: [String] = []
    var rest = given[...]
    while let word = rest.first {
      if ["--book", "--width"].contains(word), rest.count >= 2 {
        leading += rest.prefix(2)
        rest = rest.dropFirst(2)
      } else if ["--json", "--no-pager"].contains(word) || word.hasPrefix("--book=")
        || word.hasPrefix("--width=")
      {
        leading.append(word)
        rest = rest.dropFirst()
      } else {
        break
      }
    }
    return (leading, rest)
  }

  // MARK: - Singular and plural

  private static func command(_ word: String) throws -> any ParsableCommand.Type {
    for form in [word] + otherNumbers(of: word) {
      if let found = subcommand(form, of: DaybookCommand.self) { return found }
    }
    throw unknown(word, "command", of: DaybookCommand.self, "`daybook --help` lists them")
  }

  private static func otherNumbers(of word: String) -> [String] {
    var forms = [word + "s", word + "es"]
    if word.hasSuffix("s") { forms.append(String(word.dropLast())) }
    if word.hasSuffix("es") { forms.append(String(word.dropLast(2))) }
    if word.hasSuffix("y") { forms.append(word.dropLast() + "ies") }
    if word.hasSuffix("ies") { forms.append(word.dropLast(3) + "y") }
    return forms
  }

  /// Chooses between singular and plural commands by the next argument: `tasks add` is `task add`, `task`
  /// alone is `tasks`, `hives Readers` is `hive Readers`.
  private static func twin(
    of command: any ParsableCommand.Type, before next: String?
  ) -> String? {
    let name = command._commandName
    guard
      let twin = [name + "s", String(name.dropLast())].lazy
        .compactMap({ subcommand($0, of: DaybookCommand.self) }).first
    else { return nil }
    let isAlone = next.map { $0.hasPrefix("-") && $0 != "--help" && $0 != "-h" } ?? true
    switch (isAlone, next) {
    // `hive` and `recipe` need a name, and `task` alone does nothing, so the plural lists them.
    case (true, _): return name.hasSuffix("s") ? nil : twin._commandName
    case (false, let next?):
      guard subcommand(next, of: command) == nil else { return nil }
      if subcommand(next, of: twin) != nil { return twin._commandName }
      return command == Hives.self && suggestions(for: next, of: command).isEmpty
        ? twin._commandName : nil
    case (false, nil): return nil
    }
  }

  // MARK: - Subcommands

  /// The groups whose default subcommand takes a name, so any word may follow.
  private static let namesFollow: [any ParsableCommand.Type] = [RecipeCommand.self]

  private static func check(_ word: String, of command: any ParsableCommand.Type) throws {
    guard !command.configuration.subcommands.isEmpty, !word.hasPrefix("-"), word != "help",
      subcommand(word, of: command) == nil,
      !namesFollow.contains(where: { $0 == command })
    else { return }
    let name = command._commandName
    throw unknown(
      word, "command of `\(name)`", of: command, "`daybook \(name) --help` lists them")
  }

  private static func subcommand(
    _ name: String, of command: any ParsableCommand.Type
  ) -> (any ParsableCommand.Type)? {
    command.configuration.subcommands.first { $0._commandName == name }
  }

  // MARK: - Suggestions

  private static func unknown(
    _ word: String, _ noun: String, of command: any ParsableCommand.Type, _ remedy: String
  ) -> ValidationError {
    let prefix = command == DaybookCommand.self ? "" : command._commandName + " "
    let meant = suggestions(for: word, of: command).prefix(3).map { "`daybook \(prefix)\($0)`" }
    let question =
      meant.isEmpty ? "" : "Did you mean \(meant.joined(separator: " or "))? "
    return ValidationError("\"\(word)\" is not a \(noun). \(question)\(remedy).")
  }

  /// Subcommands that a word may be a mistyping or a synonym of, likeliest first.
  private static func suggestions(
    for word: String, of command: any ParsableCommand.Type
  ) -> [String] {
    let names = command.configuration.subcommands.map { $0._commandName }
    if let group = synonyms.first(where: { $0.contains(word) }),
      let name = names.first(where: group.contains)
    {
      return [name]
    }
    let limit = word.count < 5 ? 1 : 2
    return names.map { ($0, EditDistance.between(word, $0)) }.filter { $0.1 <= limit }
      .sorted { $0.1 < $1.1 }.map(\.0)
  }

  private static let synonyms: [Set<String>] = [
    ["add", "new", "create", "make", "generate"], ["remove", "rm", "delete", "del"],
    ["edit", "change", "update", "modify", "set"], ["list", "ls", "show"],
    ["done", "complete", "finish", "do", "check"], ["reopen", "uncomplete", "undone", "uncheck"],
  ]
}

/// The number of letters to insert, delete, replace or swap to turn one word into another (optimal string
/// alignment).
enum EditDistance {
  static func between(_ left: String, _ right: String) -> Int {
    let (left, right) = (Array(left), Array(right))
    var before: [Int] = []
    var last = Array(0...right.count)
    for row in left.indices {
      var next = [row + 1]
      for column in right.indices {
        let isSame = left[row] == right[column]
        var best = min(last[column] + (isSame ? 0 : 1), last[column + 1] + 1, next[column] + 1)
        if row > 0, column > 0, left[row] == right[column - 1], left[row - 1] == right[column] {
          best = min(best, before[column - 1] + 1)
        }
        next.append(best)
      }
      (before, last) = (last, next)
    }
    return last[right.count]
  }
}
