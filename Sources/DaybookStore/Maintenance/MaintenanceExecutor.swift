import Dispatch

/// Where a book's maintenance runs: its rounds one after another, each some time after it was begun.
package protocol MaintenanceExecutor: Sendable {
  /// Runs a round later, after those that were begun before.
  func later(_ round: @escaping @Sendable () -> Void)
  /// Runs a body once all rounds that were begun before are done, and returns when it is done.
  func now(_ body: () -> Void)
  /// Where other work of the same book runs, which waits for no round of maintenance.
  var beside: any MaintenanceExecutor { get }
}

extension MaintenanceExecutor {
  /// In the same place, unless there is another.
  package var beside: any MaintenanceExecutor { self }
}

/// A thread of its own, as a book has it.
struct MaintenanceThread: MaintenanceExecutor {
  private let queue: DispatchQueue

  init() { self.init(label: "daybook.maintenance") }

  private init(label: String) { queue = DispatchQueue(label: label, qos: .utility) }

  var beside: any MaintenanceExecutor { MaintenanceThread(label: "daybook.receipts") }

  func later(_ round: @escaping @Sendable () -> Void) { queue.async { round() } }
  func now(_ body: () -> Void) { queue.sync { body() } }
}
