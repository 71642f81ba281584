package import Values
public import Avro

/// Posts an activity in the actor's own name (HH-24). Repeated with the same key and content it changes nothing.
public struct PostActivity: ColumnCommand {
  /// The client's name for the activity; a fresh one unless given.
  package var key: Key?
  /// The hive in which it is shown: one of the actor's hives.
  package var hive: Hive.ID?
  /// The habit that it is about: one of the actor's.
  package var habit: Habit.ID?
  /// The kind of activity.
  package var kind: Activity.Kind
  /// More data about it: a JSON object.
  package var data: JSON

  public init(
    key: Key? = nil, _ kind: Activity.Kind, in hive: Hive.ID? = nil, about habit: Habit.ID? = nil,
    data: JSON = [:]
  ) {
    self.key = key
    self.hive = hive
    self.habit = habit
    self.kind = kind
    self.data = data
  }

  package static let form = CommandForm(
    "post_activity", "Posts an activity in the actor's name.", answer: "posted activity")
  /// A habit that was completed, without further data.
  public static var defaults: PostActivity { PostActivity(.habitCompleted) }

  /// `key`, `hive`, `habit`, `type`, `data`.
  public mutating func visitColumns<V: ColumnVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.column("key", &key)
    try visitor.column("hive", &hive, [.doc("the hive that sees it; the actor must be a member")])
    try visitor.column(
      "habit", &habit, [.doc("the habit that it is about; it must be the actor's own")])
    try visitor.column("type", &kind, [.needed])
    try visitor.columns(ActivityDataCodec(), &data)
  }

  /// Decides the command; the answer is the activity's number.
  ///
  /// - Throws: ``Rejection``.
  public func decide(
    _ state: BookState, _ context: Context
  ) throws(Rejection) -> Decision<PostedActivity.ID> {
    let owner = try state.actor(context).0
    let key = key ?? context.freshKey
    guard data.members != nil else { throw .invalidField("data", "it is not an object") }
    let text = data.canonicalText
    try Limit.activityData.check(text.utf8.count, "data")
    if let existing = state.activities.number(of: key) {
      guard let activity = state.activities[existing], activity.owner == owner,
        activity.hive == hive, activity.habit == habit, activity.kind == kind,
        activity.data == text
      else { throw .keyTaken(key) }
      return Decision([], existing)
    }
    if let hive { _ = try state.sharedHive(hive, context) }
    if let habit { _ = try state.own(habit, context) }
    let posted = ActivityPosted(
      key: key, account: owner, hive: hive, habit: habit, kind: kind, data: text)
    return Decision([.activityPosted(posted)], state.activities.nextNumber)
  }
}

/// The codec of a client's data about an activity: any JSON object.
struct ActivityDataCodec: ColumnCodec {
  var columns: [Column] {
    var data = Column("data", String?.self, "any further data; empty unless given")
    data.schema = ["type": ["object", "null"]]
    return [data]
  }
  var examples: (JSON, JSON) { ([:], ["streak": 7]) }

  func read(_ reader: inout RequestReader) throws -> JSON? {
    guard let json = reader.value("data"), json != .null else { return .none }
    guard json.members != nil else {
      throw Rejection.invalidField("data", "\(json.shown) is not an object")
    }
    return json
  }

  func members(of value: JSON, in state: BookState) -> [JSON.Member] { [.init("data", value)] }
}

extension JSON {
  /// The text of the value without spaces, the members of each object sorted by name: values that differ only in the
  /// order of members have the same text.
  package var canonicalText: String { inCanonicalOrder.encoded }

  private var inCanonicalOrder: JSON {
    switch self {
    case .null, .bool, .number, .string: self
    case .array(let elements): .array(elements.map(\.inCanonicalOrder))
    case .object(let members):
      .object(
        members.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
          .map { Member($0.name, $0.value.inCanonicalOrder) })
    }
  }
}
