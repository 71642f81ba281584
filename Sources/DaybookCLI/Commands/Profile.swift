import ArgumentParser
import Daybook
import DaybookStore

struct Profile: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "profile",
    abstract: "An account's own profile: name, day clock, notifications, by what it signs in.")

  @OptionGroup var options: BookOptions
  @OptionGroup var actor: ActorOptions

  @Option(help: "As the book knew it at this time: 2026-03-01T12:00:00Z.")
  var asOf: String?

  mutating func run() throws {
    let profile = try QueryContext(options, actor, asOf: asOf).ask(ProfileQuestion(), by: actor)
    if options.json { return Output.answer(profile) }
    let account = profile.account
    Output.line(Style.bold(account.shortName))
    var table = Table(header: ["", ""])
    for (name, value) in Self.lines(of: account) { table.add([Style.faint(name), value]) }
    table.write(withHeader: false)
  }

  private static func lines(of account: Account) -> [(String, String)] {
    let times = account.notifications.times.map(\.description).joined(separator: ", ")
    let kinds = account.identities.map { link in
      link.identity.kind.rawValue + (link.isVerified ? "" : " (not verified)")
    }
    return [
      ("name", account.displayName), ("picture", account.avatarURL ?? "none"),
      ("birthday", account.birthday?.description ?? "not told"),
      ("timezone", account.dayClock.timeZone), ("day start", account.dayClock.startWords),
      ("theme", account.theme.rawValue),
      (
        "notifications",
        (account.notifications.isOn ? "on" : "off") + (times.isEmpty ? "" : " at \(times)")
      ),
      ("signs in by", kinds.isEmpty ? "nothing yet" : kinds.joined(separator: ", ")),
      ("devices", String(account.devices.count)), ("contacts", String(account.contacts.count)),
      ("onboarded", account.onboarded?.description ?? "not yet"),
      ("member since", account.created.description), ("key", account.key.description),
    ]
  }
}
