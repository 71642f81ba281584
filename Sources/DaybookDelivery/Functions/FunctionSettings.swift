public import Calendar
public import DaybookStore

/// How the functions that apps may call work.
public struct FunctionSettings: Sendable {
  /// The shop, if there is one.
  public var checkout: CheckoutSettings?
  /// Where a checkout leads that no shop is set up for: for tests, never for people. Nothing refuses it.
  public var developmentCheckoutURL: String?
  /// The templates that may be sent to anybody; others go to the caller's own address.
  public var openTemplates: Set<String> = []
  /// How many mails an account may have sent in an hour.
  public var mailsPerHour = 20
  /// The time now.
  public var now: @Sendable () -> Instant

  /// Makes settings without a shop, by the machine's clock unless another is given.
  public init(now: @escaping @Sendable () -> Instant = BookClock.system.now) { self.now = now }
}

/// The shop: Stripe's.
public struct CheckoutSettings: Sendable {
  /// The secret key.
  public var secretKey: String
  /// Where the browser goes once it is paid.
  public var successURL: String
  /// Where the browser goes when it is not.
  public var cancelURL: String
  /// What is bought: `subscription`, or `payment` for once.
  public var mode = "subscription"
  /// Where Stripe is asked.
  public var apiURL = "https://api.stripe.com"

  /// Makes settings.
  public init(secretKey: String, successURL: String, cancelURL: String) {
    self.secretKey = secretKey
    self.successURL = successURL
    self.cancelURL = cancelURL
  }
}
