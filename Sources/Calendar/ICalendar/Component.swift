import Values

/// A component of iCalendar text (RFC 5545, section 3.6): everything between a BEGIN and its END.
struct Component {
  /// The name, in upper case: "VEVENT".
  var name: String
  /// The line of its BEGIN.
  var line: Int
  /// Its own properties, in order.
  var properties: [ContentLine] = []
  /// The components nested directly in it, in order.
  var components: [Component] = []

  /// The first property with a name.
  subscript(property: String) -> ContentLine? { properties.first { $0.name == property } }

  /// The deepest nesting of components that is read; RFC 5545 has three levels.
  static let deepest = Limit.componentDepth.maximum
}

/// Builds components from content lines, even if BEGINs and ENDs do not match.
///
/// - An END that names no open component ends the innermost one, as `END:VTOOD` does.
/// - A component without an END may have lost more than that, so it is left out.
struct ComponentBuilder {
  /// The top-level components, in order.
  private(set) var components: [Component] = []
  /// The problems found.
  private(set) var problems = ICalendar.ProblemList()
  /// Whether the text ended inside a calendar.
  private(set) var isCutOff = false
  private var open: [Component] = []
  /// The number of open components below the deepest level that is kept.
  private var tooDeep = 0

  /// The components that are siblings in a calendar and never nest.
  private static let siblings: Set = ["VEVENT", "VTODO", "VJOURNAL", "VFREEBUSY", "VTIMEZONE"]

  /// Takes the next line of the text.
  mutating func add(_ line: ContentLine) {
    let isBegin = line.name == "BEGIN"
    guard isBegin || line.name == "END" else {
      if tooDeep > 0 { return }
      if open.isEmpty {
        note(line.number, "\(line.name) stands outside of any component", .ignored)
      } else {
        open[open.count - 1].properties.append(line)
      }
      return
    }
    // No component has such a long name, and names that are counted must stay short.
    let name = String(line.value.filter { !$0.isWhitespace }.uppercased().unicodeScalars.prefix(80))
    if isBegin { begin(name, at: line.number) } else { end(name, at: line.number) }
  }

  /// Handles the end of the text.
  mutating func finish() {
    isCutOff = !open.isEmpty
    while let last = open.last {
      if last.name == "VCALENDAR" {
        note(last.line, "\(last.name) has no END, the file may be cut off", .repaired)
        close()
      } else {
        abandon()
      }
    }
  }

  private mutating func begin(_ name: String, at line: Int) {
    if Self.siblings.contains(name) || name == "VCALENDAR" {
      tooDeep = 0
      while let last = open.last, last.name != "VCALENDAR" || name == "VCALENDAR" {
        if last.name == "VCALENDAR" {
          note(last.line, "VCALENDAR has no END before the next one begins", .repaired)
          close()
        } else {
          abandon()
        }
      }
    }
    guard open.count < Component.deepest else {
      if tooDeep == 0 { note(line, "components are nested too deeply", .ignored) }
      tooDeep += 1
      return
    }
    open.append(Component(name: name, line: line))
  }

  private mutating func end(_ name: String, at line: Int) {
    if tooDeep > 0 {
      tooDeep -= 1
      return
    }
    guard let last = open.last else {
      note(line, "END:\(name) without its BEGIN", .ignored)
      return
    }
    if last.name == name {
      close()
    } else if open.contains(where: { $0.name == name }) {
      while let inner = open.last, inner.name != name { abandon() }
      close()
    } else if last.name == "VCALENDAR" {
      note(line, "END:\(name) without its BEGIN", .ignored)
    } else {
      note(line, "END:\(name) is read as the end of \(last.name)", .repaired)
      close()
    }
  }

  private mutating func close() {
    guard let last = open.popLast() else { return }
    if open.isEmpty {
      components.append(last)
    } else {
      open[open.count - 1].components.append(last)
    }
  }

  private mutating func abandon() {
    guard let last = open.popLast() else { return }
    note(
      last.line, "\(last.name) has no END", last.name == "VEVENT" ? .eventLeftOut : .ignored)
  }

  private mutating func note(_ line: Int, _ message: String, _ outcome: ICalendar.Problem.Outcome) {
    problems.note(line, message, outcome)
  }
}
