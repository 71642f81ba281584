public import Daybook

/// `today`: what is due on the day, what is done, and how the streaks stand (HH-12, MO-4).
public struct TodayQuestion: Question, Hashable {
  public static let form = QuestionForm(
    "today", "What is due on the day, what is done, and how the streaks stand.",
    answer: "a list of cards", asker: .anybody, .all)
  public static let defaults = TodayQuestion()

  /// Asks.
  public init() {}

  public mutating func visitColumns<V: ColumnVisitor>(_ visitor: inout V) throws(V.Failure) {}

  public func answer(from view: BookView, for asker: Account.ID?) throws -> TodayList {
    try TodayList(of: asker, in: view.state, view.query)
  }
}

/// `streaks`: the current and the longest streak of every habit, completion and strength.
public struct StreaksQuestion: Question, Hashable {
  public static let form = QuestionForm(
    "streaks", "The current and the longest streak of every habit, completion and strength.",
    answer: "a list of streaks", asker: .anybody, .all)
  public static let defaults = StreaksQuestion()

  /// Asks.
  public init() {}

  public mutating func visitColumns<V: ColumnVisitor>(_ visitor: inout V) throws(V.Failure) {}

  public func answer(from view: BookView, for asker: Account.ID?) throws -> StreakList {
    try StreakList(of: asker, in: view.state, view.query)
  }
}

extension TodayList: QuestionAnswer {}
extension StreakList: QuestionAnswer {}
