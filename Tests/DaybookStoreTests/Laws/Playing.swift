import Daybook

extension Ledger {
  /// Carries out a step; returns the code of the rejection, if it was refused.
  mutating func play(_ step: Step) throws -> String? {
    clock.instant = clock.instant.advanced(byMilliseconds: Int64(step.wait) * 60_000)
    let now = clock.instant
    defer { clock.instant = now }
    var at: Instant?
    switch step.timing {
    case .clock: break
    case .given: at = max(now, state.at)
    case .backwards: at = state.at.advanced(byMilliseconds: -1)
    case .setBack: clock.instant = now.advanced(byMilliseconds: -7_200_000)
    }
    do {
      try perform(step, at: at)
      return nil
    } catch let rejection as Rejection {
      return rejection.code
    }
  }

  private mutating func perform(_ step: Step, at: Instant?) throws {
    if case .logRun(let habit, let ago, let days, let value) = step.action {
      let logs = (0..<days).map {
        LogHabit(
          number(habit), value: Menu.pick(Menu.values, value),
          day: choice(.ago(ago - $0), owner(habit), at))
      }
      return try record(logs, by: actor(step, owner(habit)), at: at)
    }
    if case .hive(let action) = step.action {
      return try submit(action.command(self, at), step, action.actor(self, step), at)
    }
    if case .household(let action) = step.action {
      let actor = action.actor(self, step)
      return try submit(action.command(self, today(actor, at)), step, actor, at)
    }
    if case .task(let action) = step.action {
      let command = action.command(state, at ?? max(clock.instant, state.at))
      return try submit(command, step, account(step.actor), at)
    }
    switch command(step, at) {
    case .account(let command): try submit(command, step, account(step.actor), at)
    case .habit(let command, let habit): try submit(command, step, owner(habit), at)
    case .goal(let command, let goal): try submit(command, step, goalOwner(goal), at)
    }
  }

  private mutating func submit(
    _ command: some Command, _ step: Step, _ owner: Account.ID?, _ at: Instant?
  ) throws {
    let id = step.id.map { Menu.key(7, $0) }
    try record(command, by: actor(step, owner), at: at, id: id)
  }

  private func command(_ step: Step, _ at: Instant?) -> Asked {
    switch step.action {
    case .log(let habit, let when, let value, let source, let note):
      let log = LogHabit(
        number(habit), value: Menu.pick(Menu.values, value), day: choice(when, owner(habit), at),
        source: source, note: note.map { Menu.texts[$0] })
      return .habit(log, habit)
    case .clear(let habit, let when):
      return .habit(ClearLog(number(habit), day: choice(when, owner(habit), at)), habit)
    case .skip(let habit, let when, let note):
      let day = choice(when, owner(habit), at)
      return .habit(SkipDay(number(habit), day: day, note: note.map { Menu.texts[$0] }), habit)
    case .updateHabit(let habit, let edit): return .habit(edit.command(number(habit)), habit)
    case .archive(let habit): return .habit(ArchiveHabit(number(habit)), habit)
    case .restore(let habit): return .habit(RestoreHabit(number(habit)), habit)
    case .delete(let habit): return .habit(DeleteHabit(number(habit)), habit)
    case .attach(let habit, let goal):
      return .habit(AttachHabit(number(habit), to: goalNumber(goal)), habit)
    case .detach(let habit): return .habit(DetachHabit(number(habit)), habit)
    case .updateGoal(let goal, let title):
      let update = UpdateGoal(goalNumber(goal)) { content in
        if let title { content.title = Menu.texts[title] }
      }
      return .goal(update, goal)
    case .deleteGoal(let goal): return .goal(DeleteGoal(goalNumber(goal)), goal)
    default: return .account(step.action.ownCommand(self, step, at))
    }
  }

  // MARK: Numbers

  /// The account of a small number; 3 names a missing account, once there are three. Nobody acts before the first
  /// account exists.
  func account(_ index: Int) -> Account.ID? {
    let count = state.accounts.elements.count
    if count == 0 { return nil }
    return index == 3 && count == 3 ? Account.ID(99) : Account.ID(index % count + 1)
  }

  func number(_ index: Int) -> Habit.ID {
    let count = state.habits.elements.count
    return Habit.ID(index == 7 || count == 0 ? 99 : index % count + 1) ?? state.habits.nextNumber
  }

  fileprivate func goalNumber(_ index: Int) -> Goal.ID {
    let count = state.goals.elements.count
    return Goal.ID(count == 0 ? 99 : index % count + 1) ?? state.goals.nextNumber
  }

  fileprivate func owner(_ habit: Int) -> Account.ID? {
    state.habits[number(habit)]?.owner ?? account(0)
  }

  fileprivate func goalOwner(_ goal: Int) -> Account.ID? {
    state.goals[goalNumber(goal)]?.owner ?? account(0)
  }

  private func actor(_ step: Step, _ owner: Account.ID?) -> Account.ID? {
    guard step.isStrange else { return owner }
    return step.actor == 0 ? nil : account(step.actor)
  }

  func today(_ owner: Account.ID?, _ at: Instant?) -> Day {
    let instant = at ?? max(clock.instant, state.at)
    return owner.map { state.today(of: $0, at: instant) } ?? .first
  }

  func choice(_ when: When, _ owner: Account.ID?, _ at: Instant?) -> DayChoice {
    switch when {
    case .today: .today
    case .ago(let days): .day(today(owner, at).advanced(by: -days))
    case .instant(let minutes):
      .dayOf(clock.instant.advanced(byMilliseconds: Int64(minutes) * -60_000))
    }
  }
}

/// A command, and what determines its actor.
private enum Asked {
  case account(any Command)
  case habit(any Command, Int)
  case goal(any Command, Int)
}

extension Action {
  /// Commands that concern the actor alone.
  fileprivate func ownCommand(_ ledger: some Ledger, _ step: Step, _ at: Instant?) -> any Command {
    switch self {
    case .createAccount(let key, let zone, let start):
      return CreateAccount(
        key: key.map { Menu.key(1, $0) }, timeZone: Menu.zone(zone), dayStartHour: Menu.start(start)
      )
    case .updateProfile(let name, let zone, let start, let theme):
      return UpdateProfile {
        if let name { $0.displayName = Menu.texts[name] }
        if let theme { $0.avatarURL = theme == 0 ? nil : "a\(theme)" }
        if let zone { $0.timeZone = Menu.zone(zone) }
        if let start { $0.dayStartHour = Menu.start(start) }
        if let theme { $0.theme = [.honey, .mint, .night][theme] }
      }
    case .pause(let from, let days):
      let first = ledger.today(ledger.account(step.actor), at).advanced(by: from)
      return Pause(first: first, last: days.map { first.advanced(by: $0) })
    case .resume: return Resume()
    case .createHabit(let key, let goal, let plan):
      return plan.command(key: key, goal: goal.map { Menu.key(3, $0) })
    case .focus(let habit): return ChooseFocus(habit.map { ledger.number($0) })
    case .createGoal(let key, let title):
      return CreateGoal(key: key.map { Menu.key(3, $0) }, title: Menu.texts[title])
    case .person(let action):
      return action.command(today: ledger.today(ledger.account(step.actor), at))
    default: return UserLocalDate()
    }
  }
}

extension Plan {
  fileprivate func command(key: Int?, goal: Key?) -> CreateHabit {
    CreateHabit(
      key: key.map { Menu.key(2, $0) }, name: Menu.texts[name], type: type,
      target: Target(Menu.amounts[amount], bound), schedule: Menu.pick(Menu.schedules, schedule),
      reminders: Menu.reminders[reminders], goal: goal)
  }
}

extension PlanEdit {
  func command(_ habit: Habit.ID) -> UpdateHabit {
    UpdateHabit(habit) { content in
      if let name { content.name = Menu.texts[name] }
      if let type { content.type = type }
      if let amount { content.target.amount = Menu.amounts[amount] }
      if let bound { content.target.bound = bound }
      if let schedule { content.schedule = Menu.pick(Menu.schedules, schedule) }
      if let reminders { content.reminders = Menu.reminders[reminders] }
    }
  }
}

extension Menu {
  /// A time zone; the last number gives an invalid one.
  fileprivate static func zone(_ number: Int) -> String {
    number < zones.count ? zones[number] : "UTC+5"
  }

  /// A day start; the last number gives an invalid one.
  fileprivate static func start(_ number: Int) -> Int {
    number < starts.count ? starts[number] : 24
  }
}
