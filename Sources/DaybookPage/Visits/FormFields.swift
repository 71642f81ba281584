import Calendar
import Wire

/// The fields of a form as a command takes them.
///
/// A form that changes something also has what each field was, as `was_NAME`: a field that is still the same is not sent. So
/// two people change different things of a recipe without undoing each other, and what an app wrote into it stays.
struct FormFields {
  private(set) var items: [WireQuery.Item]

  init(_ items: [WireQuery.Item]) {
    var values: [String: String] = [:]
    for item in items where values[item.name] == nil { values[item.name] = item.value }
    let isSame = { (name: String) in
      values["was_\(name)"].map { $0.onUnixLines == values[name]?.onUnixLines } ?? false
    }
    self.items = items.filter { !$0.name.hasPrefix("was_") && !isSame($0.name) }
    if let first = values["first_day"] { takeTimes(first, values, isSame) }
  }

  /// Makes `start_time` and `end_time` of an event's days and hours: people name the last day of an event, and a command takes
  /// the first one after it. Times that are as they were are not sent.
  private mutating func takeTimes(
    _ first: String, _ values: [String: String], _ isSame: (String) -> Bool
  ) {
    let names = ["first_day", "start_clock", "last_day", "end_clock"]
    items.removeAll { names.contains($0.name) }
    if names.allSatisfy(isSame) {
      // Words alone change, in whatever zone the event is.
      items.removeAll { $0.name == "time_zone" }
      return
    }
    func value(_ name: String) -> String { (values[name] ?? "").trimmed }
    let (start, last, end) = (value("start_clock"), value("last_day"), value("end_clock"))
    items.append(.init("start_time", start.isEmpty ? first : "\(first)T\(start)"))
    let ends =
      if start.isEmpty {
        // A text that is no day goes as it is, and is refused with a sentence.
        last.isEmpty ? "" : Day(last)?.advanced(by: 1).description ?? last
      } else if last.isEmpty, end.isEmpty {
        ""
      } else {
        "\(last.isEmpty ? first : last)T\(end.isEmpty ? start : end)"
      }
    items.append(.init("end_time", ends))
  }
}

extension String {
  /// The text with the line ends that browsers send made the usual ones.
  var onUnixLines: String { replacing("\r\n", with: "\n") }
}
