import ArgumentParser
import Avro
import Daybook
import DaybookStore

struct Profile: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "An account's own profile: name, day clock, notifications, by what it signs in.")

  @OptionGroup var options: BookOptions
  @OptionGroup var actor: ActorOptions

  @Option(help: "As the book knew it at this time: 2026-03-01T12:00:00Z.")
  var asOf: String?

  mutating func run() throws {
    let instant = try TimeArgument.instant(asOf, "--as-of")
    let state = try options.reader.state(asOf: instant ?? .last)
    let number = try actor.account(in: state)
    guard let account = state.accounts[number] else { throw Rejection.accountNotFound }
    if options.json { return Output.line(Self.json(of: account, in: state).encoded) }
    Output.line(Style.bold(account.shortName))
    var table = Table(header: ["", ""])
    for (name, value) in Self.lines(of: account) { table.add([Style.faint(name), value]) }
    table.write(withHeader: false)
  }

  /// The profile's row, and what else is the account's.
  private static func json(of account: Account, in state: State) -> JSON {
    .object(
      (state.profileRow(account).members ?? []) + [
        .init("short_name", .string(account.shortName)),
        .init("identities", .array(state.identityRows(account))),
        .init("device_tokens", .array(state.deviceRows(account))),
        .init("contact_count", .number(account.contacts.count)),
      ])
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
