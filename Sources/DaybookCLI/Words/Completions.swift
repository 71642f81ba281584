import ArgumentParser
import Daybook
import DaybookStore
import Foundation

/// Shell completions of names in the book that a command refers to.
enum Completions {
  /// The habits of the book.
  static let habits = CompletionKind.custom { words, _, _ in
    names(words) { state, account in state.habits(of: account).map(\.displayName) }
  }
  /// The people of the book.
  static let people = CompletionKind.custom { words, _, _ in
    names(words) { state, _ in state.livingAccounts.map(\.displayName) }
  }
  /// The open tasks.
  static let tasks = CompletionKind.custom { words, _, _ in
    names(words) { state, account in
      guard let account else { return [] }
      return state.tasks(of: account).map(\.task).filter { !$0.isDone }.map(\.displayName)
    }
  }
  static let goals = CompletionKind.custom { words, _, _ in
    names(words) { state, account in state.goals(of: account).map(\.goal.title) }
  }
  /// The hives of the caller.
  static let hives = CompletionKind.custom { words, _, _ in
    names(words) { state, account in
      guard let account else { return [] }
      return state.hives(of: account).compactMap { state.hives[$0]?.displayName }
    }
  }
  /// The recipes of the caller's households.
  static let recipes = CompletionKind.custom { words, _, _ in
    names(words) { state, account in
      guard let account else { return [] }
      return state.households(of: account).flatMap { household in
        state.recipes(of: household, for: account).map(\.recipe.displayName)
      }
    }
  }

  /// The names in the book that the arguments refer to. Without a book, or with a damaged one, there are no
  /// completions, since an error message would be out of place.
  private static func names(
    _ words: [String], _ names: (BookState, Account.ID?) -> [String]
  ) -> [String] {
    var options = BookOptions()
    options.book = value(of: "--book", in: words)
    options.json = false
    var actor = ActorOptions()
    actor.actor = value(of: "--as", in: words)
    guard let state = try? options.reader.state() else { return [] }
    let account = (try? actor.chosen(in: state)) ?? state.onlyAccount()
    return Set(names(state, account)).sorted().map(\.onOneLine)
  }

  private static func value(of option: String, in words: [String]) -> String? {
    for (place, word) in words.enumerated() {
      if word == option { return words.dropFirst(place + 1).first }
      if word.hasPrefix(option + "=") { return String(word.dropFirst(option.count + 1)) }
    }
    return nil
  }
}
