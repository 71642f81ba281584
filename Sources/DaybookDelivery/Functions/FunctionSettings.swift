public import Calendar
public import DaybookStore

/// The settings of the functions that apps may call.
public struct FunctionSettings: Sendable {
  /// The shop, if there is one.
  public var checkout: CheckoutSettings?
  /// The address of a checkout when no shop is set up: for tests, never in production. `nil` refuses checkouts.
  public var developmentCheckoutURL: String?
  /// The templates that may be sent to anybody; others go only to the caller's own address.
  public var openTemplates: Set<String> = []
  /// The most mails that an account may send in an hour.
  public var mailsPerHour = 20
  /// The time now.
  public var now: @Sendable () -> Instant

  /// Makes settings without a shop, with the machine's clock by default.
  public init(now: @escaping @Sendable () -> Instant = BookClock.system.now) { self.now = now }
}

/// The settings of the shop, which is Stripe's.
public struct CheckoutSettings: Sendable {
  /// The secret key.
  public var secretKey: String
  /// The address that the browser opens after payment.
  public var successURL: String
  /// The address that the browser opens without payment.
  public var cancelURL: String
  /// The mode of purchase: `subscription`, or `payment` for a single one.
  public var mode = "subscription"
  /// The address of Stripe's API.
  public var apiURL = "https://api.stripe.com"

  /// Makes settings.
  public init(secretKey: String, successURL: String, cancelURL: String) {
    self.secretKey = secretKey
    self.successURL = successURL
    self.cancelURL = cancelURL
  }
}
