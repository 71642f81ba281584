import Dispatch

/// Runs an actor on a dispatch queue of its own: for one that waits for a disk, which tasks of others must not.
package final class QueueExecutor: SerialExecutor {
  private let queue: DispatchQueue

  package init(label: String) { queue = DispatchQueue(label: label) }

  /// Runs a piece of the actor's work once those before it have run.
  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }
}
