import Avro
import Calendar
import DaybookAuth
import DaybookStore
import Foundation
import Values
import Wire

/// The profile and all that belongs to it: look, notifications, devices, data, the paid version, documents (HH-30, DG-9,
/// MO-7, MO-8, DM-13).
struct SettingsScreen: Screen {
  func content(_ visit: Visit) async throws -> Content {
    let profile = try await visit.ask("profile")
    let theme = profile["theme"]?.text ?? "honey"
    var fields = profile.fields
    fields["profile"] = try await ProfileCard(profile, visit).fields()
    fields["themes"] = ["honey", "mint", "night"].map {
      ["key": $0, "name": visit.say("theme.\($0)"), "chosen": $0 == theme] as Fields
    }
    let hour = profile["day_start_hour"]?.integer ?? 4
    fields["hours"] = (0...23).map {
      ["key": String($0), "name": "\($0):00", "chosen": $0 == hour] as Fields
    }
    fields["zones"] = Self.zones
    fields["today"] = visit.today.description
    let isOn = profile["notifications_enabled"]?.boolean == true
    fields["notified"] = [
      ["key": "true", "name": visit.say("settings.on"), "chosen": isOn] as Fields,
      ["key": "false", "name": visit.say("settings.off"), "chosen": !isOn] as Fields,
    ]
    // One more line than there are times, to add one without a script.
    let times = profile["notification_times"]?.elements?.compactMap(\.text) ?? []
    fields["times"] = Array((times + [""]).prefix(24))
    fields["has_times"] = !times.isEmpty
    fields["times_said"] = times.joined(separator: ", ")
    fields["on_said"] = visit.say(isOn ? "settings.on" : "settings.off")
    fields["pushed"] = (profile["device_tokens"]?.elements ?? []).map { device -> Fields in
      let token = device["apns_token"]?.text ?? ""
      return ["device_token": token, "short": String(token.prefix(8)) + "…"]
    }
    if !visit.isPast { fields["sessions"] = try await Self.sessions(visit) }
    fields["formats"] = FileImport.Format.allCases.map {
      ["key": $0.rawValue, "name": visit.say("format.\($0.rawValue)")] as Fields
    }
    fields["exports"] = ["jsonl", "csv"].map {
      [
        "link": visit.link("/settings/export/\($0)"), "name": visit.say("export.\($0)"),
        "about": visit.say("export.\($0).about"),
      ] as Fields
    }
    fields["sells"] = visit.service.settings.checkout != nil
    fields["wanted"] =
      profile["upgrade_requested_at"]?.text.flatMap { Instant($0) }
      .map { visit.say("premium.wanted", ["moment": visit.shown($0)]) } ?? Nothing() as Any
    var documents = LegalDocument.allCases.map {
      ["link": $0.address, "name": visit.say("legal.\($0.rawValue)")] as Fields
    }
    if visit.service.settings.hasDocuments {
      documents.append(["link": "/docs", "name": visit.say("docs.title")])
    }
    fields["documents"] = documents
    fields["version"] = DaybookVersion.text
    return Content("settings", visit.say("place.settings"), fields)
  }

  /// The zones that a browser offers while somebody types.
  private static let zones: [String] = TimeZone.knownTimeZoneIdentifiers.filter {
    $0.contains("/")
  }

  private static func sessions(_ visit: Visit) async throws -> [Fields] {
    let found: [OpenSession]
    do throws(DatabaseFailure) {
      found = try await visit.service.doorway.auth.sessions(of: visit.guest.account)
    } catch { throw PageRefusal.unavailable }
    return found.map { session in
      let isThis = session.key == visit.guest.session
      return [
        "session": session.key.description, "is_this": isThis,
        "device": session.device ?? visit.say("devices.app"),
        "since": visit.say("devices.since", ["moment": visit.shown(session.signedIn)]),
        "last": isThis
          ? Nothing() : visit.say("devices.last", ["moment": visit.shown(session.lastUsed)]) as Any,
      ]
    }
  }
}

/// Who somebody is in a glance: name, since when, level (HH-30).
struct ProfileCard {
  private let profile: JSON
  private let visit: Visit

  init(_ profile: JSON, _ visit: Visit) {
    self.profile = profile
    self.visit = visit
  }

  func fields() async throws -> Fields {
    let name = profile["display_name"]?.text ?? ""
    let days = try await visit.ask("streaks").elements ?? []
    let level = Level(fullDays: days.reduce(0) { $0 + ($1["full_days"]?.integer ?? 0) })
    let since = profile["created_at"]?.text.flatMap { Instant($0) }
    return [
      "initial": name.first.map { String($0).uppercased() } ?? "",
      "shown_name": name,
      "since": visit.say("settings.since", ["moment": since.map { visit.shown($0) } ?? ""]),
      "level": visit.say("level.name", ["level": String(level.number)]),
      "level_said": visit.say(
        "level.next",
        [
          "days": visit.language.words.count("level.days", level.fullDays),
          "missing": visit.language.words.count("level.days", level.missing),
        ]),
      "level_share": String(level.share), "picture": profile["avatar_url"]?.shown ?? Nothing(),
    ]
  }
}

/// A level, a plain function of full days (HH-30): the step to the next one is a week longer than the step before.
struct Level: Equatable {
  /// The level, from 1.
  let number: Int
  let fullDays: Int
  /// How many full days lie between this level and the next.
  private let step: Int
  /// How many full days the next level needs.
  let missing: Int

  /// - Parameter fullDays: The full days of all habits.
  init(fullDays: Int) {
    self.fullDays = max(0, fullDays)
    var (number, start) = (1, 0)
    while self.fullDays - start >= 7 * number {
      start += 7 * number
      number += 1
    }
    self.number = number
    step = 7 * number
    missing = start + step - self.fullDays
  }

  /// The way to the next level, in percent.
  var share: Int { 100 * (step - missing) / step }
}

/// The erasure of an account: what goes, what stays, and a name to type (ES-6).
struct EraseScreen: Screen {
  func content(_ visit: Visit) async throws -> Content {
    let profile = try await visit.ask("profile")
    return Content(
      "erase", visit.say("erase.title"), ["asked_name": profile["display_name"]?.text ?? ""])
  }
}
