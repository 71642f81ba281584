import Avro
import Daybook
@testable import DaybookPage
import Testing

/// What entries did is said in the language of the page (DG-12).
@Suite(.tags(.unit)) struct EventWordsTests {
  @Test func `each event has its words in each language, and no words are left over`() {
    guard case .union(let records) = Event.schema else {
      Issue.record("events are a union")
      return
    }
    let events = Set(
      records.compactMap { record -> String? in
        guard case .record(let record) = record else { return nil }
        return record.name.split(separator: ".").last.map(String.init)
      })
    #expect(events.count == records.count)
    for language in Language.all {
      let keys = language.words.keys
      let said = Set(keys.filter { $0.hasPrefix("event.") }.map { String($0.dropFirst(6)) })
      #expect(said == events, "\(language.code)")
      let reasons = Set(keys.filter { $0.hasPrefix("reason.") }.map { String($0.dropFirst(7)) })
      #expect(reasons.subtracting(["entries", "for", "other"]).isSubset(of: events))
    }
  }
}
