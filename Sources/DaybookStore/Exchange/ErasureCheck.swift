import Avro
import Daybook

/// Sees to it that what was erased stays erased in an export, and that nothing else has an empty name.
///
/// An erasure blanks what was recorded before it, and an export may end before the line that tells of it. So
/// of each account the lines are blank, one and all, or none has an empty name.
struct ErasureCheck {
  private static let eraser = try? PersonalEraser(Entry.schema)
  /// For each account the first line on which something of it has an empty name.
  private var nameless: [Account.ID: Int] = [:]
  /// For each account the first line that says something about the person.
  private var telling: [Account.ID: Int] = [:]

  /// Takes note of an entry that the state has taken already.
  ///
  /// - Throws: when an account is blank in part, or is erased and not blank.
  mutating func note(_ entry: Entry, line: Int, in state: State) throws(TranscodingError) {
    if case .accountErased(let event) = entry.event, let above = telling[event.account] {
      throw TranscodingError(
        "the account is erased here, but line \(above) still says something about the person")
    }
    guard let owner = Self.owner(of: entry.event, in: state) else { return }
    if telling[owner] == nil, try Self.isTelling(entry) { telling[owner] = line }
    if entry.event.hasEmptyName, nameless[owner] == nil { nameless[owner] = line }
    guard telling[owner] != nil, let empty = nameless[owner] else { return }
    throw TranscodingError(
      empty == line
        ? "\(entry.event.isBlankOfPerson ? "what is personal" : "the name") is empty"
        : "it says something about a person who was erased, for on line \(empty) the name is empty")
  }

  private static func owner(of event: Event, in state: State) -> Account.ID? {
    if case .accountCreated(let created) = event { return state.accounts.number(of: created.key) }
    return state.owner(of: event.subject)
  }

  /// Whether an erasure would change it.
  private static func isTelling(_ entry: Entry) throws(TranscodingError) -> Bool {
    let bytes = entry.encoded
    do throws(AvroError) { return try eraser?.erased(bytes[...]) != bytes } catch {
      throw TranscodingError(error.description)
    }
  }
}

extension Event {
  /// Whether it gives something a name that is empty, which no command does.
  fileprivate var hasEmptyName: Bool {
    switch self {
    case .accountCreated(let event): event.displayName.isBlank
    case .profileChanged(let event): event.displayName.isBlank
    case .habitCreated(let event): event.description.name.isBlank
    case .habitDescribed(let event): event.description.name.isBlank
    case .goalCreated(let event): event.title.isBlank
    case .goalDescribed(let event): event.title.isBlank
    default: isBlankOfPerson
    }
  }

  /// Whether what it is about is blank, as only an erasure leaves it.
  fileprivate var isBlankOfPerson: Bool {
    switch self {
    case .identityLinked(let event): event.hash == nil
    case .identityVerified(let event): event.hash == nil
    case .identityUnlinked(let event): event.hash == nil
    case .deviceRegistered(let event): event.token.isEmpty
    case .deviceUnregistered(let event): event.token.isEmpty
    case .contactsUploaded(let event): event.hashes.isEmpty
    case .contactsRemoved(let event): event.hashes.isEmpty
    default: false
    }
  }
}

extension String {
  fileprivate var isBlank: Bool { allSatisfy(\.isWhitespace) }
}
