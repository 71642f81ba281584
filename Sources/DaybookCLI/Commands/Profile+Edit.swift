import ArgumentParser
import Daybook
import DaybookStore

extension Profile {
  struct Edit: RecordingCommand {
    static let records: [any ColumnCommand.Type] = [UpdateProfile.self]
    static let configuration = CommandConfiguration(
      commandName: "edit",
      abstract: "Change your name, day clock, theme, birthday or notifications.",
      discussion: """
        A new time zone or day start applies from now on; days that are over keep their result.
        """)
    @OptionGroup var options: BookOptions
    @OptionGroup var actor: ActorOptions
    @Option(help: "What you are called.")
    var name: String?
    @Option(help: "Your IANA time zone: Europe/London.")
    var timezone: String?
    @Option(help: "The hour at which your day begins, 0…23.")
    var dayStart: Int?
    @Option(help: "How the app looks: \(themes).")
    var theme: String?
    @Option(help: "Your birthday: 1990-05-17; or none.")
    var birthday: String?
    @Option(help: "The address of your picture; or none.")
    var picture: String?
    @Flag(inversion: .prefixedNo, help: "Whether you are notified.")
    var notifications: Bool?
    @Option(help: "Notify me at these local times instead, one for each option: 07:30 or 7pm.")
    var notifyAt: [String] = []
    @OptionGroup var clock: ClockOptions

    private static let themes = Theme.allCases.map(\.rawValue).joined(separator: ", ")

    func run() throws {
      let times = try notifyAt.compactMap { try TimeOfDay.time($0, "--notify-at") }
      let theme = try self.theme.map { text in
        guard let theme = Theme(rawValue: text.lowercased()) else {
          throw ValidationError("--theme: \"\(text)\" is not a theme; give \(Self.themes)")
        }
        return theme
      }
      let command = try UpdateProfile(birthday: birthday) { profile in
        if let name { profile.displayName = name }
        if let zone = self.timezone { profile.timeZone = zone }
        if let hour = self.dayStart { profile.dayStartHour = hour }
        if let theme { profile.theme = theme }
        if let picture { profile.avatarURL = picture == "none" ? nil : picture }
        if let isOn = self.notifications { profile.notificationsAreOn = isOn }
        if !times.isEmpty { profile.notificationTimes = times }
      }
      try CommandAnswer(options, actor, clock).run(command) { number, state in
        guard let account = state.accounts[number] else { return "" }
        return "\(account.displayName), \(account.dayClock.timeZone), day from"
          + " \(account.dayClock.startWords). `daybook profile` shows all."
      }
    }
  }
}

extension UpdateProfile {
  /// Makes the command, with a birthday as a person writes it.
  fileprivate init(
    birthday: String?, _ set: (inout Account.Profile) -> Void
  ) throws {
    let day = try birthday.flatMap { text -> Day? in
      guard text != "none" else { return nil }
      guard let day = Day(text) else {
        throw ValidationError("--birthday: \"\(text)\" is not a day such as 1990-05-17")
      }
      return day
    }
    self.init { profile in
      set(&profile)
      if birthday != nil { profile.birthday = day }
    }
  }
}
