/// The text that `daybook` prints when there is no book yet.
enum WelcomeText {
  static func print(at path: String) {
    Output.line("There is no book at \(path) yet. Create one:")
    Output.line("")
    Output.line(
      "  daybook init --name NAME   your book, in this directory; $DAYBOOK or --book names another")
    Output.line("  daybook habits add Read    something to do every day")
    Output.line("  daybook log Read           done today")
    Output.line("")
    Output.line(
      "`daybook demo` gives a tour of a book of two years; `daybook --help` lists the commands.")
  }
}
