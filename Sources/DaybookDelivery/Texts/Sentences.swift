import Avro
import DaybookAuth

/// Every sentence that a server sends to people, by template, in one place (DG-12). English.
enum Sentences {
  /// A checkout could not be started.
  static let checkoutFailed =
    "The checkout could not be opened. Nothing was charged; try again later."
  /// The shop does not know the price.
  static let unknownPrice = "This price is not offered any more."

  /// The text of a template.
  ///
  /// - Parameters:
  ///   - template: The template's name.
  ///   - channel: The channel; a text message is a single sentence.
  ///   - payload: The template's values.
  /// - Returns: The text; `nil` for an unknown template, or if a value is missing.
  static func text(
    _ template: String, _ channel: OutboxMessage.Channel, _ payload: JSON
  ) -> MessageText? {
    channel == .push ? push(template, payload) : letter(template, channel, payload)
  }

  private static func letter(
    _ template: String, _ channel: OutboxMessage.Channel, _ payload: JSON
  ) -> MessageText? {
    if let (subject, purpose) = code(template) {
      guard let code = payload["code"]?.text else { return nil }
      if channel == .sms { return MessageText(subject, "\(code) is your code to \(purpose).") }
      let link = payload["link"]?.text.map { "Or open this link:\n\n\($0)\n\n" } ?? ""
      return MessageText(
        subject,
        """
        Your code to \(purpose) is:

        \(code)

        \(link)It is valid for a few minutes, and only once. If you did not ask for it, you can \
        ignore this mail.
        """)
    }
    switch template {
    case "welcome":
      let name = payload["name"]?.text.map { ", \($0)" } ?? ""
      return MessageText(
        "Welcome", "Welcome\(name).\n\nChoose one habit, and begin today: one day is a start.")
    case "note":
      guard let subject = payload["subject"]?.text else { return nil }
      let page = payload["html"]?.text
      guard let text = payload["text"]?.text ?? page else { return nil }
      return MessageText(subject, text, page: page)
    default: return nil
    }
  }

  /// The subject of a message with a code, and what the code is for.
  private static func code(_ template: String) -> (subject: String, purpose: String)? {
    switch template {
    case "otp", "magiclink": ("Your sign-in code", "sign in")
    case "signup", "confirmation": ("Confirm your address", "confirm your address")
    case "recovery": ("Choose a new password", "choose a new password")
    case "email_change": ("Confirm your new address", "confirm your new address")
    case "phone_change": ("Confirm your number", "confirm your number")
    case "reauthentication": ("Your code", "go on")
    default: nil
    }
  }

  private static func push(_ template: String, _ payload: JSON) -> MessageText? {
    if template == "daily" {
      guard let open = payload["open"]?.integer else { return nil }
      return MessageText("Today", open == 1 ? "One habit is open." : "\(open) habits are open.")
    }
    guard let name = payload["name"]?.text else { return nil }
    let isHive = payload["hive_id"]?.text != nil
    let picture = payload["emoji"]?.text.flatMap { $0.isEmpty ? nil : "\($0) " } ?? ""
    switch template {
    case "reminder": return MessageText(name, "It is time.")
    case "hive_at_risk":
      return MessageText(
        "\(picture)\(name) is at risk", "Others are done today. The hive waits for you.")
    case "hive_advanced":
      guard let streak = payload["streak"]?.integer else { return nil }
      return MessageText("\(picture)\(name) advanced", "\(days(streak)) together.")
    case "streak_milestone":
      guard let streak = payload["streak"]?.integer else { return nil }
      return MessageText(
        "\(picture)\(name): \(days(streak))",
        isHive ? "The hive has kept its streak together." : "A streak to be proud of.")
    default: return nil
    }
  }

  private static func days(_ count: Int) -> String { count == 1 ? "1 day" : "\(count) days" }
}
