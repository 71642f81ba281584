import Daybook

/// The start of the household tests: Ada (1), Bob (2) and Cy (3), all in Greenwich, and a household of Ada's.
enum Home {
  static let household = BookState().households.nextNumber
  static let householdTask = BookState().householdTasks.nextNumber
  static let key = Key(high: 5, low: 1)

  /// Ada's household, with the given members.
  static func with(_ members: Int...) throws -> Scenario {
    var scenario = try Bees.people().and(CreateHousehold(key: key, name: "Home"))
    for member in members {
      scenario = try scenario.and(AddHouseholdMember(Bees.person(member), to: household))
    }
    return scenario
  }

  static func joined(_ member: Int) -> Event {
    .householdJoined(
      make {
        $0.household = household
        $0.member = Bees.person(member)
      })
  }

  static func left(_ member: Int) -> Event {
    .householdLeft(
      make {
        $0.household = household
        $0.member = Bees.person(member)
      })
  }

  static var deleted: Event { .householdDeleted(make { $0.household = household }) }

  static func assigned(_ householdTask: Int, to member: Int?) -> Event {
    .householdTaskAssigned(
      make {
        $0.householdTask = HouseholdTask.ID(householdTask) ?? .first
        $0.assignee = member.map { Bees.person($0) }
      })
  }
}

extension Scenario {
  /// Ada's household with a task.
  func householdTask(
    _ title: String = "Wash up", for assignee: Int? = nil, by actor: Int = 1,
    due: String? = nil, at time: Int? = nil, _ priority: HouseholdTaskPriority = .medium,
    key: UInt64? = nil
  ) throws -> Scenario {
    let content = HouseholdTaskContent(
      title: title, dueDate: due.map { day($0) },
      dueTime: time.flatMap { LocalTime(minutes: $0 * 60) }, priority: priority)
    let number = UInt64(state.householdTasks.elements.count + 1)
    return try and(
      CreateHouseholdTask(
        in: Home.household, key: Key(high: 6, low: key ?? number), content,
        assignee: assignee.map { Bees.person($0) }), by: actor)
  }
}
