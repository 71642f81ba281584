import Dispatch

/// Runs a book's maintenance: its rounds one after another, each some time after it was started.
package protocol MaintenanceExecutor: Sendable {
  /// Runs a round later, after those started before it.
  func later(_ round: @escaping @Sendable () -> Void)
  /// Runs a body after all rounds started before it, and returns when the body is done.
  func now(_ body: () -> Void)
  /// The executor of other work of the same book, which waits for no maintenance.
  var beside: any MaintenanceExecutor { get }
}

extension MaintenanceExecutor {
  /// The same executor, unless there is another.
  package var beside: any MaintenanceExecutor { self }
}

/// Runs maintenance on a thread of its own, which is the default.
struct MaintenanceThread: MaintenanceExecutor {
  private let queue: DispatchQueue

  init() { self.init(label: "daybook.maintenance") }

  private init(label: String) { queue = DispatchQueue(label: label, qos: .utility) }

  var beside: any MaintenanceExecutor { MaintenanceThread(label: "daybook.receipts") }

  func later(_ round: @escaping @Sendable () -> Void) { queue.async { round() } }
  func now(_ body: () -> Void) { queue.sync { body() } }
}
