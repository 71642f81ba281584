import Avro
import Daybook
import Testing

/// Activities that clients post for their own account: stored, shown in their hive, and not computed from anything.
@Suite(.tags(.unit)) struct ActivityCommandTests {
  private static let key = Key(high: 12, low: 1)
  private static let data: JSON = ["streak": 7, "by": ["b": .null, "a": [.number("1.50")]]]

  /// A habit of Ada's and her hive, with Bob in it, and Cy not.
  private func bees() throws -> Scenario {
    try Bees.hive(2).and(habit(1, of: Bees.person(1))).and(habit(2, of: Bees.person(2)))
  }

  private func post(_ key: Key = key, data: JSON = data) -> PostActivity {
    PostActivity(key: key, .streakMilestone, in: Bees.hive, about: First.habit, data: data)
  }

  @Test func `a posted activity keeps all that was posted (HH-24)`() throws {
    let posted: ActivityPosted = make {
      $0.key = Self.key
      $0.account = Bees.person(1)
      $0.hive = Bees.hive
      $0.habit = First.habit
      $0.kind = .streakMilestone
      $0.data = #"{"by":{"a":[1.50],"b":null},"streak":7}"#
    }
    #expect(try bees().when(post()) == [.activityPosted(posted)])
    let scenario = try bees().and(post())
    #expect(
      scenario.rows("posted_activities").map(\.encoded) == [
        #"{"id":"\#(Self.key)","hive_id":"\#(Bees.key)","user_id":"\#(person(1).key)","#
          + #""habit_id":"\#(Key(high: 2, low: 1))","type":"streak_milestone","#
          + #""data":{"by":{"a":[1.50],"b":null},"streak":7},"#
          + #""created_at":"2026-03-02T12:00:00Z"}"#
      ])
    let plain = try bees().and(PostActivity(.habitCompleted), by: 3)
    #expect(plain.state.postedActivities(of: Bees.person(3)).map(\.activity.data) == ["{}"])
  }

  @Test func `a repeated post changes nothing, and a key belongs to one activity (HH-24)`() throws {
    let scenario = try bees().and(post())
    #expect(try scenario.when(post()) == [])
    // The order of members says nothing.
    let turned: JSON = ["by": ["a": [.number("1.50")], "b": .null], "streak": 7]
    #expect(try scenario.when(post(data: turned)) == [])
    #expect(throws: Rejection.keyTaken(Self.key)) { try scenario.when(post(data: [:])) }
    #expect(throws: Rejection.keyTaken(Self.key)) {
      try scenario.when(PostActivity(key: Self.key, .streakMilestone, data: Self.data))
    }
    #expect(throws: Rejection.keyTaken(Self.key)) {
      try scenario.when(post(), by: 2)
    }
    // A former member may send it again.
    let left = try scenario.and(HandOverHive(Bees.hive, to: Bees.person(2))).and(
      LeaveHive(Bees.hive))
    #expect(try left.when(post()) == [])
  }

  @Test func `an activity may name only the account's own hives and habits (HH-24, MO-9)`() throws {
    #expect(throws: Rejection.notMember) {
      try bees().when(PostActivity(.hiveJoined, in: Bees.hive), by: 3)
    }
    #expect(throws: Rejection.notOwner(of: .habit)) {
      try bees().when(PostActivity(.habitCompleted, about: First.habit), by: 2)
    }
    #expect(throws: Rejection.hiveNotFound) {
      try bees().and(DeleteHive(Bees.hive)).when(PostActivity(.hiveJoined, in: Bees.hive))
    }
    #expect(throws: Rejection.accountNotFound) {
      try bees().when(PostActivity(.hiveJoined), by: 9)
    }
  }

  @Test func `data that are not an object, too long or of another type are refused`() throws {
    #expect(throws: Rejection.invalidField("data", "it is not an object")) {
      try bees().when(PostActivity(.hiveJoined, data: [1]))
    }
    let long: JSON = ["a": .string(String(repeating: "x", count: 4089))]
    #expect(throws: Rejection.beyond(.activityData, "data")) {
      try bees().when(PostActivity(.hiveJoined, data: long))
    }
    for (line, field) in [
      (#"{"do":"post_activity","type":"liked"}"#, "type"), (#"{"do":"post_activity"}"#, "type"),
      (#"{"do":"post_activity","type":"hive_joined","data":"x"}"#, "data"),
      (#"{"do":"post_activity","type":"hive_joined","hive":"\#(Self.key)"}"#, "hive"),
    ] {
      let refusal = #expect(throws: Rejection.self) {
        try Request(try JSON(parsing: line), try bees().state, actor: Bees.person(1))
      }
      #expect(refusal?.field == field, "\(line)")
    }
  }

  @Test func `activities are found by their poster and by their hive (HH-24)`() throws {
    var scenario = try bees().and(post())
    scenario = try scenario.and(
      PostActivity(key: Key(high: 12, low: 2), .hiveJoined, in: Bees.hive), by: 2)
    scenario = try scenario.and(PostActivity(key: Key(high: 12, low: 3), .hiveJoined), by: 2)
    func found(_ list: [(number: PostedActivity.ID, activity: PostedActivity)]) -> [UInt64] {
      list.map(\.activity.key.low)
    }
    #expect(found(scenario.state.postedActivities(in: Bees.hive)) == [1, 2])
    #expect(found(scenario.state.postedActivities(of: Bees.person(2))) == [2, 3])
    #expect(found(scenario.state.postedActivities(of: Bees.person(3))) == [])
    let without = try scenario.and(DeleteHabit(First.habit))
    #expect(found(without.state.postedActivities(in: Bees.hive)) == [2])
    let alone = try scenario.and(DeleteHive(Bees.hive))
    #expect(found(alone.state.postedActivities(in: Bees.hive)) == [])
    #expect(found(alone.state.postedActivities(of: Bees.person(2))) == [3])
    #expect(alone.rows("posted_activities").count == 1)
    let erased = scenario.and(
      .accountErased(AccountErased(account: Bees.person(2), segments: [])))
    #expect(found(erased.state.postedActivities(in: Bees.hive)) == [1])
    #expect(erased.state.activities.elements.map(\.data.isEmpty) == [false, true, true])
    #expect(erased.rows("posted_activities").count == 1)
  }

  @Test func `an object has one canonical text`() throws {
    let sent = #" { "b" : [ {"d":1, "c": 2} ], "a":"x\u0041" } "#
    #expect(try JSON(parsing: sent).canonicalText == #"{"a":"xA","b":[{"c":2,"d":1}]}"#)
    #expect(try JSON(parsing: #"{"é":1,"z":2}"#).canonicalText == #"{"z":2,"é":1}"#)
  }
}
