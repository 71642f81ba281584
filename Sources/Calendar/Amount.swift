/// An exact decimal with at most three fraction digits, such as 2.5 km: 0…1 000 000 000.
///
/// Stored as whole thousandths, so sums never round.
public struct Amount: Hashable, Comparable, Sendable {
  /// The amount in thousandths: 2.5 is 2500.
  public let thousandths: Int64

  /// The amount 0.
  public static let zero = Amount(unchecked: 0)
  /// The amount 1.
  public static let one = Amount(unchecked: 1000)
  /// The largest possible amount: 1 000 000 000.
  public static let last = Amount(unchecked: 1_000_000_000_000)

  @inlinable
  package init(unchecked thousandths: Int64) { self.thousandths = thousandths }

  /// Makes an amount from thousandths, or `nil` outside 0…1 000 000 000.
  @inlinable
  public init?(thousandths: Int64) {
    guard thousandths >= 0, thousandths <= 1_000_000_000_000 else { return nil }
    self.init(unchecked: thousandths)
  }

  /// Makes a whole amount, or `nil` outside 0…1 000 000 000.
  public init?(_ whole: Int) {
    guard whole >= 0, whole <= 1_000_000_000 else { return nil }
    self.init(unchecked: Int64(whole) * 1000)
  }

  /// Smaller amounts are less.
  @inlinable
  public static func < (left: Amount, right: Amount) -> Bool {
    left.thousandths < right.thousandths
  }
}
