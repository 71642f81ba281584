import Values
public import Avro

/// Records that the actor wants the paid version, at a price (MO-7). Each request counts; nothing is unlocked.
public struct RequestUpgrade: OwnAccountCommand {
  /// The price that the person saw.
  package var price: String

  public init(price: String) { self.price = price }

  package static let form = CommandForm(
    "request_upgrade", "Records that the account wants the paid version; unlocks nothing.",
    answer: "profile")
  /// The defaults; no price is named yet.
  public static var defaults: RequestUpgrade { RequestUpgrade(price: "") }

  /// `price`.
  public mutating func visitColumns<V: ColumnVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.column("price", &price, [.doc("as shown to the person"), .needed])
  }

  func events(
    _ number: Account.ID, _ account: Account, _ state: BookState, _ context: Context
  ) throws(Rejection) -> [Event] {
    let price = price.trimmingSpace
    guard !price.isEmpty, !price.hasControls else { throw .invalidPrice }
    try Limit.name.check(price, "price")
    return [.upgradeRequested(UpgradeRequested(account: number, price: price))]
  }
}
