import Dispatch

/// Runs an actor on a dispatch queue of its own, so that an actor that waits for a disk does not
/// block other tasks.
package final class QueueExecutor: SerialExecutor {
  private let queue: DispatchQueue

  package init(label: String) { queue = DispatchQueue(label: label) }

  /// Runs a piece of the actor's work once those before it have run.
  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }
}
