import Avro
import DaybookAuth
import HTTPTypes
import Pictures
import Wire

/// A code that invites, with its address and the picture of the address for a phone's camera (HH-17).
struct InvitePicture {
  private let code: String
  private let visit: Visit

  init(_ code: String, _ visit: Visit) {
    self.code = code
    self.visit = visit
  }

  var fields: Fields {
    // A page that only this machine can reach invites nobody by its address.
    guard visit.service.settings.takesCodes else {
      return ["code": code, "qr": Nothing(), "address": Nothing()]
    }
    let address =
      visit.service.doorway.auth.settings.siteURL + "/join?" + PercentCode.query([("code", code)])
    let picture = QRCode(address)?.svg(label: visit.say("invite.picture", ["code": code]))
    return ["code": code, "address": address, "qr": picture ?? Nothing() as Any]
  }
}

/// What a code leads into, before somebody joins (HH-17, MC-1). It tells no more than joining would.
struct JoinScreen: Screen {
  func content(_ visit: Visit) async throws -> Content {
    let code = (visit.request.query["code"] ?? "").trimmed
    var fields: Fields = ["code": code.isEmpty ? Nothing() : code as Any]
    if !code.isEmpty, !visit.isPast {
      do {
        fields.merge(try await offer(code, visit)) { _, last in last }
      } catch let refusal as PageRefusal {
        guard refusal.status != .serviceUnavailable else { throw refusal }
        fields["refused"] = refusal.said(in: visit.language.words)
      }
    }
    return Content("join", visit.say("join.title"), fields)
  }

  /// What would happen, which is supposed and not done.
  private func offer(_ code: String, _ visit: Visit) async throws -> Fields {
    func suppose(_ command: String) async throws -> JSON {
      try await visit.suppose([["do": .string(command), "p_code": .string(code)]])
    }
    let (command, answer): (String, JSON)
    do {
      (command, answer) = ("join_hive_with_code", try await suppose("join_hive_with_code"))
    } catch let refusal as PageRefusal {
      // Only one that is no hive's may be a household's.
      guard refusal.status == .notFound,
        let household = try? await suppose("join_household_with_code")
      else { throw refusal }
      (command, answer) = ("join_household_with_code", household)
    }
    guard answer["entries"]?.integer != 0 else { return ["is_member": true] }
    let isHive = command == "join_hive_with_code"
    let name = answer["hives"]?.elements?.first { $0["streak"]?.elements?.first == .null }?["name"]
    return [
      "command": command, "back": isHive ? "/hives" : "/household",
      "asked": isHive
        ? visit.say("join.hive", ["name": name?.text ?? ""]) : visit.say("join.household"),
      "about": visit.say(isHive ? "join.hive.about" : "join.household.about"),
    ]
  }
}
