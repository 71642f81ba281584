import ArgumentParser
import Daybook
import DaybookStore

struct Profile: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "profile",
    abstract: "Your own profile: name, day clock, notifications; change it.",
    subcommands: [ShowProfile.self, Edit.self], defaultSubcommand: ShowProfile.self)
}

struct ShowProfile: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract:
      "Name, day clock, pauses, notifications and ways to sign in (the default).")

  @OptionGroup var options: BookOptions
  @OptionGroup var screen: ScreenOptions
  @OptionGroup var actor: ActorOptions

  @Option(help: "As the book knew it at this time: 2026-03-01T12:00:00Z.")
  var asOf: String?

  func run() throws {
    let context = try QueryContext(options, actor, asOf: asOf)
    let profile = try context.ask(ProfileQuestion(), by: actor)
    if options.json { return Output.answer(profile) }
    let account = profile.account
    let times = LocalTimes(of: account, context.query.zones)
    Output.line(Style.bold(account.shortName))
    var table = TextTable([.whole("", 9), .text("", 9)])
    for (name, value) in Self.lines(of: account, times) { table.add([Style.faint(name), value]) }
    table.print(withHeader: false)
  }

  private static func lines(of account: Account, _ shown: LocalTimes) -> [(String, String)] {
    let times = account.notifications.times.map(\.description).joined(separator: ", ")
    let kinds = account.identities.map { link in
      link.identity.kind.rawValue + (link.isVerified ? "" : " (not verified)")
    }
    return [
      ("name", account.displayName), ("picture", account.avatarURL ?? "none"),
      ("birthday", account.birthday?.description ?? "not given"),
      ("timezone", account.dayClock.timeZone), ("day start", account.dayClock.startWords),
      ("theme", account.theme.rawValue),
      (
        "paused",
        account.pauses.isEmpty ? "never" : account.pauses.map(\.words).joined(separator: ", ")
      ),
      (
        "notifications",
        (account.notifications.isOn ? "on" : "off") + (times.isEmpty ? "" : " at \(times)")
      ),
      ("signs in by", kinds.isEmpty ? "nothing yet" : kinds.joined(separator: ", ")),
      ("devices", String(account.devices.count)), ("contacts", String(account.contacts.count)),
      ("onboarded", account.onboarded.map { shown($0) } ?? "not yet"),
      ("member since", shown(account.created)), ("key", account.key.description),
    ]
  }
}
