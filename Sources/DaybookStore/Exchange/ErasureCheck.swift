import Avro
import Daybook

/// Checks that what was erased is still erased in an export, and that nothing else has an empty
/// name.
///
/// An erasure blanks entries before it, and an export may end before the line that records it. So
/// either all lines of an account are blank, or none has an empty name. A hive's name belongs to
/// its members, and is blanked only with a hive whose owner was its only member. So the same holds
/// for each hive, and for each household with all that belongs to it.
struct ErasureCheck {
  /// A subject whose lines are blanked together.
  private enum Subject: Hashable {
    case account(Account.ID)
    case hive(Hive.ID)
    case household(Household.ID)
  }

  private static let eraser = try? PersonalEraser(Entry.schema)
  /// For each subject, the first line on which something of it has an empty name.
  private var nameless: [Subject: Int] = [:]
  /// For each subject, the first line with something personal.
  private var telling: [Subject: Int] = [:]

  /// Notes an entry that was already applied to the state.
  ///
  /// - Throws: when an account is blanked in part, or is erased and not blank.
  mutating func note(_ entry: Entry, line: Int, in state: BookState) throws(TranscodingError) {
    if case .accountErased(let event) = entry.event {
      let hives = state.hives.elements.enumerated().filter { $0.element.owner == event.account }
      let households = state.households.elements.enumerated().filter {
        state.isErased($0.element, with: event.account)
      }
      let subjects =
        [.account(event.account)]
        + hives.compactMap { Hive.ID($0.offset + 1).map(Subject.hive) }
        + households.compactMap { Household.ID($0.offset + 1).map(Subject.household) }
      if let above = subjects.compactMap({ telling[$0] }).min() {
        throw TranscodingError(
          "the account is erased here, but line \(above) still says something about the person")
      }
    }
    guard let subject = Self.subject(of: entry.event, in: state) else { return }
    if telling[subject] == nil, try Self.isPersonal(entry) { telling[subject] = line }
    let emptyField = entry.event.emptyField
    if emptyField != nil, nameless[subject] == nil { nameless[subject] = line }
    guard telling[subject] != nil, let empty = nameless[subject] else { return }
    // What identifies a person, such as a device's token, is not a name.
    let isOfPerson = emptyField == .other && entry.event.subject.aggregate?.kind == .account
    throw TranscodingError(
      empty == line
        ? "\(isOfPerson ? "what is personal" : "the name") is empty"
        : "it says something about a person who was erased, because on line \(empty) the name "
          + "is empty")
  }

  private static func subject(of event: Event, in state: BookState) -> Subject? {
    if let household = state.household(of: event) { return .household(household) }
    switch event.subject {
    case .new(.household, let key, _):
      return state.households.number(of: key).map(Subject.household)
    case .new(.account, let key, _): return state.accounts.number(of: key).map(Subject.account)
    case .new(.hive, let key, _): return state.hives.number(of: key).map(Subject.hive)
    case .aggregate(let aggregate) where aggregate.kind == .hive:
      return Hive.ID(Int(aggregate.number)).map(Subject.hive)
    default: return state.owner(of: event.subject).map(Subject.account)
    }
  }

  /// Whether an erasure would change the entry.
  private static func isPersonal(_ entry: Entry) throws(TranscodingError) -> Bool {
    let bytes = entry.encoded
    do throws(AvroError) { return try eraser?.erased(bytes[...]) != bytes } catch {
      throw TranscodingError(error.description)
    }
  }
}
