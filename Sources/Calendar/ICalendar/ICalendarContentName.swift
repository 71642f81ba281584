extension ICalendar {
  /// Makes a UID for an event without one. It is derived from the content, so the same event gets the same
  /// UID in the next file, and events that differ in anything get different ones.
  package enum ContentName {
    private static let start = "no-uid-"

    /// The UID for a VEVENT: sixteen hex digits of FNV-1a (64 bits) over its lines, in any order. Timestamps
    /// are excluded because some programs renew them with each file.
    static func name(of component: Component) -> String {
      let lines = component.properties.filter { !stamps.contains($0.name) }.map { line in
        let parameters = line.parameters.sorted { $0.key < $1.key }
          .map { ";\($0.key)=\($0.value.joined(separator: ","))" }
        return "\(line.name)\(parameters.joined()):\(line.value)"
      }
      return start + "event-" + digits(lines.sorted())
    }

    private static let stamps: Set = ["UID", "DTSTAMP", "CREATED", "LAST-MODIFIED"]

    /// The UID of a series under the earlier scheme, which used start, title and rules only; `nil` for a
    /// series that has its own UID.
    package static func former(of series: Series) -> String? {
      guard series.uid.hasPrefix(start + "event-"), let event = series.master else { return nil }
      let lines = [event.start.text, event.start.zone ?? "", event.summary ?? ""]
      return start + digits(lines + event.rules.map(\.description))
    }

    private static func digits(_ lines: [String]) -> String {
      var hash: UInt64 = 0xCBF2_9CE4_8422_2325
      for byte in lines.joined(separator: "\n").utf8 {
        hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3
      }
      let digits = String(hash, radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }
  }
}

extension ICalendar.Series {
  /// The same series under another UID.
  package func named(_ uid: String) -> ICalendar.Series {
    var named = self
    named.uid = uid
    named.master?.uid = uid
    for index in named.overrides.indices { named.overrides[index].uid = uid }
    return named
  }
}
