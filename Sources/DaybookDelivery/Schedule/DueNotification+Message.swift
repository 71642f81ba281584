import Avro
import Calendar
import Daybook
import DaybookAuth

extension DueNotification {
  /// The pushes by which a person is told: one to each of their devices; none when they want no notifications.
  ///
  /// - Parameters:
  ///   - state: The book now: where they are to be told, and whether.
  ///   - now: The time now.
  ///   - milliseconds: For how many milliseconds after it fell due it is worth telling.
  /// - Returns: The messages.
  func messages(
    in state: BookState, at now: Instant, lifetime milliseconds: Int64
  ) -> [OutboxMessage] {
    guard let account = state.accounts[self.account], !account.isErased, account.notifications.isOn
    else { return [] }
    var json = self.json(in: state)
    guard case .object(var members) = json, let type = json["type"]?.text else { return [] }
    let end = at.advanced(byMilliseconds: milliseconds)
    members += [.init("emoji", .string(emoji)), .init("expires_at", .number(end.milliseconds))]
    json = .object(members)
    return account.devices.map { device in
      // The same whenever it is found, and whoever finds it: so nobody is told twice.
      OutboxMessage(
        .push, to: device.token, of: account.key, template: type, payload: json, created: now,
        due: now,
        deduplicationKey: "\(id):\(device.token)")
    }
  }
}
