import ArgumentParser
import Avro

/// The manual page in the format of man(7), generated from the declarations of the commands.
enum ManualPage {
  /// The page.
  static var text: String {
    guard let tool = try? JSON(parsing: DaybookCommand._dumpHelp()), let command = tool["command"]
    else { return "" }
    var lines = [
      ".TH DAYBOOK 1", ".SH NAME", "daybook \\- \(escaped(text(command, "abstract")))",
      ".SH SYNOPSIS", ".B daybook", "[\\-\\-book DIR] COMMAND [...]", ".SH DESCRIPTION",
    ]
    lines += paragraphs(text(command, "discussion")) + [".SH COMMANDS"]
    for subcommand in command["subcommands"]?.elements ?? [] {
      lines += section(subcommand, after: ["daybook"])
    }
    lines += [
      ".SH ENVIRONMENT", ".TP", ".B DAYBOOK",
      "The book's directory, unless \\-\\-book says another.",
      ".TP", ".B DAYBOOK_AS", "Who acts or asks, unless \\-\\-as says another.", ".TP",
      ".B DAYBOOK_PEPPER", "The secret with which phone numbers and other identities are hashed.",
      ".TP",
      ".B NO_COLOR", "No colours, if it is set.", ".TP", ".B COLUMNS",
      "How wide the terminal is.", ".TP", ".B PAGER",
      "The program that shows an answer longer than the terminal; less if it is not set, none "
        + "if it is empty.",
    ]
    return lines.joined(separator: "\n") + "\n"
  }

  private static func section(_ command: JSON, after path: [String]) -> [String] {
    let path = path + [text(command, "commandName")]
    guard path.last != "help", command["shouldDisplay"] != .bool(false) else { return [] }
    let arguments = (command["arguments"]?.elements ?? []).filter {
      $0["shouldDisplay"] != .bool(false) && !["help", "version"].contains(text($0, "valueName"))
    }
    let words = arguments.filter { text($0, "kind") == "positional" }.map(placeholder)
    var lines = [".SS " + escaped((path + words).joined(separator: " "))]
    lines += paragraphs(text(command, "abstract"))
    if command["discussion"] != nil { lines += [".PP"] + paragraphs(text(command, "discussion")) }
    for argument in arguments { lines += option(argument) }
    for subcommand in command["subcommands"]?.elements ?? [] {
      lines += section(subcommand, after: path)
    }
    return lines
  }

  private static func option(_ argument: JSON) -> [String] {
    let isFlag = text(argument, "kind") == "flag"
    let names = (argument["names"]?.elements ?? []).map { name in
      (text(name, "kind") == "long" ? "--" : "-") + text(name, "name")
    }
    let head = names.isEmpty ? placeholder(argument) : names.joined(separator: ", ")
    let value = names.isEmpty || isFlag ? "" : " " + text(argument, "valueName").uppercased()
    return [".TP", ".B " + escaped(head + value)] + paragraphs(text(argument, "abstract"))
  }

  private static func placeholder(_ argument: JSON) -> String {
    let name = text(argument, "valueName").uppercased()
    return argument["isOptional"] == .bool(true) ? "[\(name)]" : name
  }

  private static func text(_ json: JSON, _ name: String) -> String { json[name]?.text ?? "" }

  private static func paragraphs(_ text: String) -> [String] {
    text.isEmpty
      ? [] : text.split(separator: "\n").map { escaped(String($0)) }
  }

  /// Text escaped so that it is neither a request nor an escape.
  private static func escaped(_ text: String) -> String {
    let text = text.replacing("\\", with: "\\e").replacing("-", with: "\\-")
    return text.hasPrefix(".") || text.hasPrefix("'") ? "\\&" + text : text
  }
}
