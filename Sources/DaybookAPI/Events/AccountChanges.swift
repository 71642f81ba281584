import Daybook
package import DaybookStore
import Journal
import Synchronization
package import Values

/// Tells accounts that something they may see has changed, but nothing about what it is (DG-11).
///
/// One task follows the book for all listeners, and it runs only while there are some. So a listener costs a place in a table.
package final class AccountChanges: Sendable {
  /// The positions of an account's changes. A listener that is behind gets the last one only.
  package typealias Positions = AsyncStream<Int64>

  private struct Listener {
    let account: Account.ID
    /// The position of the last change that the account was told of.
    var last: Int64
    let continuation: Positions.Continuation
  }

  private struct Registry {
    var listeners: [Int: Listener] = [:]
    var nextNumber = 0
    /// The tasks that serve the listeners; none while nobody listens.
    var tasks: [Task<Void, Never>] = []
  }

  private let book: Book
  private let heartbeat: Duration
  private let registry = Mutex(Registry())

  /// - Parameters:
  ///   - book: The book.
  ///   - heartbeat: How often the last position is repeated, so that both sides notice when the other is gone.
  package init(_ book: Book, heartbeat: Duration) {
    self.book = book
    self.heartbeat = heartbeat
  }

  deinit { stop() }

  /// The number of listeners.
  package var listenerCount: Int { registry.withLock { $0.listeners.count } }

  /// The positions of an account's changes: first that of the book, then that of each change as it is recorded. They end when
  /// the account is erased, or when the book cannot be read any further.
  ///
  /// - Parameter key: The account.
  /// - Returns: The positions; `nil` if there is no such account.
  package func positions(for key: Key) -> Positions? {
    let (found, position) = book.read { ($0.accounts.present(key), $0.position) }
    guard let account = found else { return nil }
    // Positions only grow, so the last one says all that earlier ones said.
    let (positions, continuation) = Positions.makeStream(bufferingPolicy: .bufferingNewest(1))
    continuation.yield(position)
    let number = registry.withLock { registry in
      let number = registry.nextNumber
      registry.nextNumber += 1
      registry.listeners[number] = Listener(
        account: account, last: position, continuation: continuation)
      if registry.tasks.isEmpty { registry.tasks = [follow(after: position), beat()] }
      return number
    }
    continuation.onTermination = { [weak self] _ in self?.leave(number) }
    return positions
  }

  private func leave(_ number: Int) {
    registry.withLock { registry in
      registry.listeners[number] = nil
      guard registry.listeners.isEmpty else { return }
      for task in registry.tasks { task.cancel() }
      registry.tasks = []
    }
  }

  /// Ends all streams; whoever listens again starts afresh.
  private func stop() {
    let (listeners, tasks) = registry.withLock { registry in
      defer { (registry.listeners, registry.tasks) = ([:], []) }
      return (registry.listeners, registry.tasks)
    }
    for task in tasks { task.cancel() }
    for listener in listeners.values { listener.continuation.finish() }
  }

  private func follow(after position: Int64) -> Task<Void, Never> {
    Task { [weak self, book] in
      do {
        for try await entries in book.reader.tail(from: position + 1).batches {
          guard let self, !Task.isCancelled else { return }
          self.tell(of: entries)
        }
      } catch {
        self?.stop()
      }
    }
  }

  private func beat() -> Task<Void, Never> {
    Task { [weak self, heartbeat] in
      while (try? await Task.sleep(for: heartbeat)) != nil {
        guard let self else { return }
        self.repeatLast()
      }
    }
  }

  private func repeatLast() {
    registry.withLock { registry in
      for listener in registry.listeners.values { listener.continuation.yield(listener.last) }
    }
  }

  private func tell(of entries: [Entry]) {
    let state = book.read { $0 }
    var lasts: [Account.ID: Int64] = [:]
    for entry in entries {
      for account in Self.accounts(concernedBy: entry, in: state) {
        lasts[account] = entry.head.position
      }
    }
    let ended = registry.withLock { registry in
      registry.listeners.compactMap { number, listener -> Positions.Continuation? in
        guard state.accounts.isThere(listener.account) else { return listener.continuation }
        guard let last = lasts[listener.account], last > listener.last else { return nil }
        registry.listeners[number]?.last = last
        listener.continuation.yield(last)
        return nil
      }
    }
    // Ending a stream makes its listener leave, which takes the lock.
    for continuation in ended { continuation.finish() }
  }

  /// The accounts that may see what an entry changed. A person who left is told that they left, and nothing after that.
  private static func accounts(concernedBy entry: Entry, in state: BookState) -> [Account.ID] {
    guard let aggregate = state.aggregate(of: entry.event) else { return [] }
    if let number = aggregate.kind == .hive ? Hive.ID(Int(aggregate.number)) : nil {
      var members = state.hives[number]?.activeMembers.map(\.account) ?? []
      if case .hiveLeft(let left) = entry.event { members.append(left.member) }
      return members
    }
    if let number = state.household(of: aggregate) {
      var members = state.households[number]?.activeMembers.map(\.account) ?? []
      if case .householdLeft(let left) = entry.event { members.append(left.member) }
      return members
    }
    return state.owner(of: aggregate).map { [$0] } ?? []
  }
}
