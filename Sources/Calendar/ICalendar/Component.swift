import Values

/// A component of iCalendar text (RFC 5545, section 3.6): what stands between a BEGIN and its END.
struct Component {
  /// What it is, in upper case: "VEVENT".
  var name: String
  /// The line of its BEGIN.
  var line: Int
  /// Its own properties, in their order.
  var properties: [ContentLine] = []
  /// The components within it, in their order.
  var components: [Component] = []

  /// The first property of a name.
  subscript(property: String) -> ContentLine? { properties.first { $0.name == property } }

  /// How deep components may lie in one another; RFC 5545 knows three levels.
  static let deepest = Limit.componentDepth.maximum
}

/// Builds components from content lines, whatever their BEGINs and ENDs are like.
///
/// - An END that names no open component ends the innermost one, as `END:VTOOD` does.
/// - A component whose END is missing may have lost more than that: it is left out.
struct ComponentBuilder {
  /// The components that stand in no other, in their order.
  private(set) var components: [Component] = []
  /// What was not in order.
  private(set) var problems = ICalendar.ProblemList()
  /// Whether a calendar had not ended when the text did.
  private(set) var isCutOff = false
  private var open: [Component] = []
  /// How many components are open beyond the deepest that are kept.
  private var tooDeep = 0

  /// The components that lie in a calendar side by side, never in one another.
  private static let siblings: Set = ["VEVENT", "VTODO", "VJOURNAL", "VFREEBUSY", "VTIMEZONE"]

  /// Takes in the next line of the text.
  mutating func take(_ line: ContentLine) {
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
    // No component is called so; what is counted under the name shall be short.
    let name = String(line.value.filter { !$0.isWhitespace }.uppercased().unicodeScalars.prefix(80))
    if isBegin { begin(name, at: line.number) } else { end(name, at: line.number) }
  }

  /// Takes in the end of the text.
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
      if tooDeep == 0 { note(line, "components lie too deep in one another", .ignored) }
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
