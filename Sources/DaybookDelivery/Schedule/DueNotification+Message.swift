import Avro
import Calendar
import Daybook
import DaybookAuth

extension DueNotification {
  /// The pushes for a notification: one to each of the person's devices, or none if they want no notifications.
  ///
  /// - Parameters:
  ///   - state: The present state of the book, with the devices and settings.
  ///   - now: The time now.
  ///   - milliseconds: The time in milliseconds after it fell due in which it is worth sending.
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
      // It is the same whenever and by whomever it is found, so that nobody is notified twice.
      OutboxMessage(
        .push, to: device.token, of: account.key, template: type, payload: json, created: now,
        due: now,
        deduplicationKey: "\(id):\(device.token)")
    }
  }
}
