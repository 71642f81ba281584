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
    if entry.event.hasEmptyName, nameless[subject] == nil { nameless[subject] = line }
    guard telling[subject] != nil, let empty = nameless[subject] else { return }
    throw TranscodingError(
      empty == line
        ? "\(entry.event.isBlankOfPerson ? "what is personal" : "the name") is empty"
        : "it says something about a person who was erased, because on line \(empty) the name "
          + "is empty"
    )
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

extension Event {
  /// Whether the event gives something an empty name, which no command does.
  fileprivate var hasEmptyName: Bool {
    switch self {
    case .accountCreated(let event): event.displayName.isBlank
    case .profileChanged(let event): event.displayName.isBlank
    case .habitCreated(let event): event.description.name.isBlank
    case .habitDescribed(let event): event.description.name.isBlank
    case .goalCreated(let event): event.title.isBlank
    case .goalDescribed(let event): event.title.isBlank
    case .hiveCreated(let event): event.description.name.isBlank
    case .hiveDescribed(let event): event.description.name.isBlank
    case .householdCreated(let event): event.name.isBlank
    case .householdRenamed(let event): event.name.isBlank
    case .householdTaskCreated(let event): event.content.title.isBlank
    case .householdTaskDescribed(let event): event.content.title.isBlank
    case .calendarEventCreated(let event): event.content.hasEmptyUID
    case .calendarEventChanged(let event): event.content.hasEmptyUID
    case .recipeCreated(let event): event.content.title.isBlank
    case .recipeDescribed(let event): event.content.title.isBlank
    case .mealPlanned(let event): event.content.isNameless
    case .mealChanged(let event): event.content.isNameless
    case .taskCreated(let event): event.title.isBlank
    case .taskDescribed(let event): event.title.isBlank
    case .labelCreated(let event): event.name.isBlank
    case .labelDescribed(let event): event.name.isBlank
    case .groceryListGenerated(let event): event.items.contains { $0.content.name.isBlank }
    case .groceryItemAdded(let event): event.content.name.isBlank
    case .groceryItemDescribed(let event): event.content.name.isBlank
    case .pantryStapleAdded(let event): event.content.name.isBlank
    case .pantryStapleDescribed(let event): event.content.name.isBlank
    case .activityPosted(let event): event.data.isEmpty
    case .identityLinked, .identityVerified, .identityUnlinked, .deviceRegistered,
      .deviceUnregistered, .contactsUploaded, .contactsRemoved, .contactNamed, .upgradeRequested,
      .rowNamed:
      isBlankOfPerson
    // These name nothing. Commands may leave out their personal fields, if they have any.
    case .dayClockChanged, .accountPaused, .accountResumed, .accountErased, .birthdayChanged,
      .notificationsChanged, .accountOnboarded, .pausesReverted, .habitsOrdered, .commandUndone,
      .habitScheduleChanged, .habitTargetChanged, .habitUndeleted, .habitVersionsReverted,
      .habitRemindersChanged, .habitArchived, .habitRestored, .habitDeleted, .habitLogged,
      .habitLogCleared, .habitDaySkipped, .habitDayReverted, .habitAttached, .habitDetached,
      .focusChosen,
      .goalDeleted, .goalRestored:
      false
    case .hiveHandedOver, .hiveDeleted, .hiveJoined, .hiveLeft, .hiveHabitLinked,
      .hiveInviteCreated, .hiveInviteRevoked, .hiveDayLogged, .hiveDayCleared, .hiveAdvanced,
      .hiveBroken, .hiveRestored:
      false
    case .householdJoined, .householdLeft, .householdDeleted, .householdTaskAssigned,
      .householdTaskCompleted,
      .householdTaskReopened, .householdTaskDeleted, .recipeDeleted, .mealRemoved,
      .groceryListCreated,
      .groceryItemMarked, .pantryStapleRemoved, .calendarEventDeleted, .householdRestored,
      .householdCodeChanged, .householdTaskRestored, .recipeRestored, .mealRestored,
      .pantryStapleRestored, .calendarEventRestored, .groceryListDeleted, .groceryListRestored,
      .groceryListSetAside:
      false
    case .taskScheduled, .taskMoved, .taskDeleted, .taskRestored, .taskLabelsChanged,
      .taskCompleted, .taskReopened, .taskOccurrenceCompleted, .taskOccurrenceReopened,
      .labelDeleted, .labelRestored:
      false
    }
  }

  /// Whether the event's subject is blank in a way that only an erasure leaves it.
  fileprivate var isBlankOfPerson: Bool {
    guard case .accounts(let event) = byContext else { return false }
    return switch event {
    case .identityLinked(let event): event.hash == nil
    case .identityVerified(let event): event.hash == nil
    case .identityUnlinked(let event): event.hash == nil
    case .deviceRegistered(let event): event.token.isEmpty
    case .deviceUnregistered(let event): event.token.isEmpty
    case .contactsUploaded(let event): event.hashes.isEmpty
    case .contactsRemoved(let event): event.hashes.isEmpty
    case .contactNamed(let event): event.hash == nil
    case .upgradeRequested(let event): event.price.isEmpty
    case .rowNamed(let event): event.row == nil
    case .accountCreated, .profileChanged, .dayClockChanged, .accountPaused, .accountResumed,
      .accountErased, .birthdayChanged, .notificationsChanged, .accountOnboarded, .pausesReverted,
      .habitsOrdered, .commandUndone:
      false
    }
  }
}

extension MealContent {
  /// Whether nothing says what there is to eat.
  fileprivate var isNameless: Bool { recipe == nil && title?.isBlank ?? true }
}

extension CalendarContent {
  fileprivate var hasEmptyUID: Bool { components.contains { $0.uid.isEmpty } }
}

extension String {
  fileprivate var isBlank: Bool { allSatisfy(\.isWhitespace) }
}
