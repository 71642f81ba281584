import Avro
import Calendar
import Wire

/// An entry of the book in a line: who did what to which thing, when it was recorded, and from where.
struct EntryLine {
  private let entry: JSON
  private let visit: Visit

  init(_ entry: JSON, _ visit: Visit) {
    self.entry = entry
    self.visit = visit
  }

  /// The fields of the entry, and the same in words.
  var fields: Fields {
    var fields = entry.fields
    let at = entry["at"]?.text.flatMap { Instant($0) }
    let isOwn = entry["own"]?.boolean == true
    let said: Fields = [
      "who": isOwn
        ? visit.say("entry.you") : entry["actor_name"]?.text ?? visit.say("entry.nobody"),
      "event_said": words,
      "name": entry["kind"]?.text == "account" ? Nothing() : entry["name"]?.shown ?? Nothing(),
      "day_said": entry["day"]?.text.flatMap { Day($0) }.map { visit.language.shown($0) }
        ?? Nothing() as Any,
      "value_said": entry["value"]?.amount.map { visit.language.number($0.description) }
        ?? Nothing() as Any,
      "at_said": at.map { visit.shown($0) } ?? "",
      "recorded_said": at.map { visit.say("entry.recorded", ["moment": visit.shown($0)]) } ?? "",
      "is_late": entry["late"]?.boolean == true,
      "then_link": at.map { visit.target(asOf: $0.description) } ?? "",
    ]
    fields.merge(said) { _, said in said }
    return fields
  }

  /// What the event did, in the person's language.
  private var words: String {
    let event = entry["event"]?.text ?? ""
    let key = "event.\(event)"
    let said = visit.say(key)
    return said == key ? event.spaced : said
  }
}

extension String {
  /// The words of a name in camel case: "HabitLogged" is "Habit logged".
  fileprivate var spaced: String {
    var text = ""
    for letter in self {
      if letter.isUppercase, !text.isEmpty {
        text += " " + letter.lowercased()
      } else {
        text.append(letter)
      }
    }
    return text
  }
}
