import Avro
import Daybook
import DaybookStore
import HTTPTypes
import Journal
import Testing
import Wire

@testable import DaybookAPI

/// A credential, such as the code of an invite, is shown to nobody who is outside now, however they ask (HH-17,
/// MC-11): whether they left or were removed, and whoever made it.
@Suite(.tags(.law)) struct CredentialTests {
  private static let people = [APIWorld.ada, APIWorld.bob, APIWorld.cy, APIWorld.dan]
  private static let stepCount = 120
  /// The prefix of all codes here; no other text has it.
  private static let prefix = "c0de0000"

  /// A credential, where it admits, and who made it.
  private struct Credential {
    let text: String
    let event: String
    let place: Aggregate
    let maker: Account.ID?

    func isOutside(_ account: Account.ID, _ state: BookState) -> Bool {
      place.kind == .hive
        ? Hive.ID(Int(place.number)).flatMap { state.hives[$0] }?.hasMember(account) != true
        : Household.ID(Int(place.number)).flatMap { state.households[$0] }?.hasMember(account)
          != true
    }
  }

  /// Accounts that come, go, are removed and are invited, as a seed determines.
  private struct History {
    let world: APIWorld
    /// The lines that changed something, with their accounts.
    var lines: [(account: Key, line: String)] = []
    private var number: UInt64

    init(seed: Int) throws {
      world = try APIWorld()
      number = UInt64(seed) &* 0x9E37_79B9_7F4A_7C15 | 1
      for step in 0..<CredentialTests.stepCount { try play(step) }
      for account in CredentialTests.people {
        try world.record("create_task", #""title":"The last""#, as: account)
      }
    }

    private mutating func below(_ count: Int) -> Int {
      number = number &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(number >> 33) % count
    }

    private mutating func play(_ step: Int) throws {
      let (account, other) = (
        CredentialTests.people[below(4)], CredentialTests.people[below(4)]
      )
      let code = { (step: Int) in CredentialTests.prefix + String(10_000 + step).suffix(4) }
      let (hive, home) = (
        #""p_hive_id":"\#(APIWorld.key(4, 1))""#, #""household":"\#(APIWorld.key(5, 1))""#
      )
      let former = #""p_code":"\#(code(below(step + 1)))""#
      let fields = [
        #""do":"create_hive_invite",\#(hive),"code":"\#(code(step))""#,
        #""do":"create_household_code",\#(home),"code":"\#(code(step))","new":true"#,
        #""do":"join_hive_with_code",\#(former)"#,
        #""do":"join_hive_with_code","p_code":"00000000000a""#,
        #""do":"join_household_with_code",\#(former)"#,
        #""do":"add_household_member",\#(home),"member":"\#(other)""#,
        #""do":"leave_hive",\#(hive)"#, #""do":"leave_household",\#(home)"#,
        #""do":"remove_hive_member",\#(hive),"member":"\#(other)""#,
        #""do":"remove_household_member",\#(home),"member":"\#(other)""#,
        #""do":"hand_over_hive",\#(hive),"member":"\#(other)""#,
        #""do":"revoke_hive_invite",\#(former)"#,
        #""do":"rename_household",\#(home),"name":"Home \#(step)""#,
        #""do":"update_hive",\#(hive),"name":"Bees \#(step)""#,
      ][below(14)]
      world.clock.advance(seconds: 60)
      let position = world.position
      let line = #"{\#(fields),"as":"\#(account)","id":"\#(APIWorld.key(13, step))"}"#
      let told = try world.book.record(line: line).json.encoded
      try expectHidden(told, from: account, line)
      if world.position > position { lines.append((account, line)) }
    }

    /// All credentials: the fields that entries lack once credentials are removed.
    func credentials() throws -> [Credential] {
      let state = world.book.read { $0 }
      var (walk, lines) = (Walk(), EntryLines(knowing: state))
      try world.book.reader.replay(into: &walk)
      return try walk.entries.filter(\.event.holdsCredential).flatMap { entry in
        var outside = entry
        outside.event = entry.event.withoutCredentials
        let place = try #require(state.aggregate(of: entry.event))
        let without = try lines.json(of: outside)["data"]
        return try (lines.json(of: entry)["data"]?.members ?? []).compactMap {
          member -> Credential? in
          guard member.value != without?[member.name], let text = member.value.text,
            text.hasPrefix(CredentialTests.prefix)
          else { return nil }
          return Credential(
            text: text, event: entry.event.name, place: place, maker: entry.head.actor)
        }
      }
    }

    func expectHidden(_ told: String, from account: Key, _ what: String) throws {
      guard told.contains(CredentialTests.prefix) else { return }
      let (state, number) = (world.book.read { $0 }, try world.number(account))
      for credential in try credentials() where credential.isOutside(number, state) {
        #expect(!told.contains(credential.text), "\(account) sees it through \(what): \(told)")
      }
    }
  }

  private struct Walk: Projection {
    var entries: [Entry] = []
    mutating func apply(_ entry: Entry) { entries.append(entry) }
  }

  @Test func `invitation codes are never shown to accounts now outside the group (HH-17, MC-11)`()
    async throws
  {
    var (types, madeOutside, toldInside) = (Set<String>(), 0, 0)
    for seed in 0..<8 {
      let history = try History(seed: seed)
      let (state, credentials) = (history.world.book.read { $0 }, try history.credentials())
      types.formUnion(credentials.map(\.event))
      for account in Self.people {
        let number = try history.world.number(account)
        let events = try await Self.events(history.world, account)
        for (what, told) in try Self.answers(history, account, number) + [("events", events)] {
          try history.expectHidden(told, from: account, "\(what), seed \(seed)")
        }
        madeOutside += credentials.count { $0.maker == number && $0.isOutside(number, state) }
        toldInside += credentials.count {
          !$0.isOutside(number, state) && events.contains($0.text)
        }
      }
    }
    let holders = zip(Self.eventNames, Event.credentialFields).filter { !$1.isEmpty }.map(\.0)
    #expect(types == Set(holders), "one type of event does not occur")
    #expect(madeOutside > 0)
    #expect(toldInside > 0)
  }

  private static let eventNames: [String] = {
    guard case .union(let records) = Event.schema else { return [] }
    return records.compactMap(\.name)
  }()

  /// The events that an account receives.
  private static func events(_ world: APIWorld, _ account: Key) async throws -> String {
    var told = ""
    for try await chunk in try world.api.events(WireRequest(.get, ["events"]), for: account) {
      told += String(decoding: chunk, as: UTF8.self)
      if told.contains("The last") { break }
    }
    return told
  }

  /// Every other answer that an account can have.
  private static func answers(
    _ history: History, _ account: Key, _ number: Account.ID
  ) throws -> [(String, String)] {
    let (world, reader) = (history.world, history.world.book.reader)
    let moments = [0, 30, 60, 90, 119].map {
      world.clock.instant.advanced(byMilliseconds: -60_000 * Int64($0))
    }
    var answers: [(String, String)] = []
    for (name, type) in QuestionRequest.types {
      let base = [JSON.Member("ask", .string(name))] + (QuestionTests.fields[name]?.members ?? [])
      var questions = [base]
      if type.form.axes.contains(.asOf) {
        questions += moments.map { base + [.init("as_of", .string("\($0)"))] }
      }
      if name == "diff" {
        questions = moments.flatMap { from in
          moments.filter { from < $0 }.map { to in
            [base[0], .init("from", .string("\(from)")), .init("to", .string("\(to)"))]
          }
        }
      }
      for question in questions {
        answers.append((JSON.object(question).encoded, answer(question, world, number)))
      }
    }
    for (_, line) in history.lines.filter({ $0.account == account }) {
      answers.append((line, try world.book.record(line: line).json.encoded))
    }
    for last in [Instant.last] + moments {
      var lines = ""
      try reader.export(of: number, as: .jsonl, until: last) { lines += $0 }
      answers.append(("export until \(last)", lines))
    }
    let query = Query(asOf: world.clock.instant, zones: reader.zones)
    if let hive = Hive.ID(1), let proof = try? reader.proof(of: hive, for: number, query) {
      answers.append(("proof", String(decoding: proof.file, as: UTF8.self)))
    }
    return answers
  }

  private static func answer(
    _ question: [JSON.Member], _ world: APIWorld, _ account: Account.ID
  ) -> String {
    do {
      return try QuestionRequest(
        .object(question), of: world.book.reader, knowing: world.book.read { $0 },
        from: .account(account), at: world.clock.instant
      ).answer().json.encoded
    } catch { return "\(error)" }
  }

  @Test func `a diff for a former member has the hive's past rows without its invites (HH-17)`()
    throws
  {
    let world = try APIWorld()
    let moment = JSON.string("\(world.clock.instant.advanced(byMilliseconds: -60_000))")
    func tables(_ account: Key) throws -> Set<String> {
      let told = try Self.answer(
        [.init("ask", "diff"), .init("from", "2026-03-01T00:00:00Z"), .init("to", moment)],
        world, world.number(account))
      return Set(try JSON(parsing: told).elements?.compactMap { $0["table"]?.text } ?? [])
    }
    #expect(try tables(APIWorld.bob).isSuperset(of: ["hives", "hive_invites"]))
    #expect(try tables(APIWorld.cy).contains("hives"))
    #expect(try !tables(APIWorld.cy).contains("hive_invites"))
  }

  @Test func `members who remove themselves are not shown the household's code (MC-11)`() throws {
    let world = try APIWorld()
    let home = #""household":"\#(APIWorld.key(5, 1))""#
    try world.record("create_household_code", #"\#(home),"code":"c0de00000001""#)
    let line =
      #"{"do":"remove_household_member","as":"\#(APIWorld.ada)",\#(home),"member":"\#(APIWorld.ada)","id":"\#(APIWorld.key(13, 1))"}"#
    for _ in 0..<2 {
      let told = try world.book.record(line: line).json
      #expect(told["ok"]?["id"]?.text == APIWorld.key(5, 1).description)
      #expect(!told.encoded.contains("c0de00000001"))
    }
  }
}
