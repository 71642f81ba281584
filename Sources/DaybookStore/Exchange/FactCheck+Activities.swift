import Avro
import Daybook

extension BookState {
  /// Why nobody could have posted this activity; nil when somebody could.
  func contradiction(of event: ActivityPosted) -> String? {
    if let habit = event.habit, habits[habit]?.owner != event.account {
      return "the habit is another account's"
    }
    if let hive = event.hive, hives[hive]?.member(event.account) == nil {
      return "the account is not a member of the hive"
    }
    // An erased activity is empty; ``ErasureCheck`` says which accounts are blank.
    if event.data.isEmpty { return nil }
    guard event.data.utf8.count <= Limit.activityData.maximum else {
      return Rejection.beyond(.activityData, "data").description
    }
    guard let data = try? JSON(parsing: event.data), data.members != nil,
      data.canonicalText == event.data
    else { return "the data is not a JSON object in its canonical form" }
    return nil
  }
}
