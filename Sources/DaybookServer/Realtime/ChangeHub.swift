import Daybook
import DaybookAuth
import DaybookStore
import DaybookTables
import Logging
import ServiceLifecycle
import Synchronization
import Values

/// Notifies sockets of changed rows: it follows the book, and finds the listeners of each entry that may see its
/// rows.
final class ChangeHub: Service, Sendable {
  /// The most weight of an account's bindings in all its channels, in comparisons: each change that the account may
  /// see is tested against all of them, while other accounts wait.
  static let mostWeight = 20_000

  private struct Registry {
    /// The channels that receive changes, by schema, then by account.
    var listeners: [String: [Key: [Int: ChannelListener]]] = [:]
    /// The total weight of each account's bindings.
    var weights: [Key: Int] = [:]
    /// The channels that receive each other's broadcasts, by schema and topic.
    var rooms: [Topic: [Int: ChannelListener]] = [:]
    var count = 0
    var nextNumber = 1
    /// Whether the book is being followed, which is so only while somebody listens.
    var isFollowing = false

    mutating func join(_ listener: ChannelListener) {
      rooms[Topic(schema: listener.schema, topic: listener.topic), default: [:]][listener.number] =
        listener
      count += 1
      if let account = listener.holder?.account, !listener.bindings.isEmpty {
        listeners[listener.schema, default: [:]][account, default: [:]][listener.number] = listener
        weights[account, default: 0] += listener.weight
      }
    }

    /// Whether a channel's bindings fit within the limit of its account.
    func hasRoom(for listener: ChannelListener) -> Bool {
      guard let account = listener.holder?.account else { return true }
      return (weights[account] ?? 0) + listener.weight <= ChangeHub.mostWeight
    }

    mutating func leave(_ listener: ChannelListener) {
      let room = Topic(schema: listener.schema, topic: listener.topic)
      guard rooms[room]?.removeValue(forKey: listener.number) != nil else { return }
      count -= 1
      if rooms[room]?.isEmpty == true { rooms[room] = nil }
      guard let account = listener.holder?.account, !listener.bindings.isEmpty else { return }
      let weight = (weights[account] ?? 0) - listener.weight
      weights[account] = weight > 0 ? weight : nil
      listeners[listener.schema]?[account]?[listener.number] = nil
      if listeners[listener.schema]?[account]?.isEmpty == true {
        listeners[listener.schema]?[account] = nil
      }
    }

    /// Whether any channel receives changes.
    var isHeard: Bool { !listeners.values.allSatisfy(\.isEmpty) }

    /// Marks the book as followed if somebody listens; returns whether it was not followed before.
    mutating func begin() -> Bool {
      guard isHeard, !isFollowing else { return false }
      isFollowing = true
      return true
    }

    /// Marks the book as not followed if nobody listens; returns whether that is so.
    mutating func rest() -> Bool {
      if !isHeard { isFollowing = false }
      return !isFollowing
    }
  }

  private struct Topic: Hashable {
    let schema: String
    let topic: String
  }

  private let book: Book
  private let directory: any ContactDirectory
  private let schemas: [String: TableSchema]
  private let logger: Logger
  private let registry = Mutex(Registry())
  /// The states from which to follow the book: those at which a first listener joined.
  private let beginnings: AsyncStream<BookState>
  private let beginning: AsyncStream<BookState>.Continuation
  /// Measures the delay of changes.
  let lag: LagMeter

  init(
    _ book: Book, _ directory: any ContactDirectory, schemas: [TableSchema],
    lag: LagMeter, logger: Logger
  ) {
    self.book = book
    self.directory = directory
    self.schemas = Dictionary(schemas.map { ($0.name, $0) }) { first, _ in first }
    self.lag = lag
    self.logger = logger
    (beginnings, beginning) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
  }

  /// The number of joined channels.
  var channelCount: Int { registry.withLock { $0.count } }

  /// A number for a new channel.
  func freshNumber() -> Int {
    registry.withLock { registry in
      defer { registry.nextNumber += 1 }
      return registry.nextNumber
    }
  }

  /// The position of the book's last entry; a channel that joins now receives what comes after it.
  var position: Int64 { book.read { $0.position } }

  /// Adds a channel.
  ///
  /// - Returns: Whether it was added; not if its account's bindings would weigh too much.
  func join(_ listener: ChannelListener) -> Bool {
    change { registry in
      guard registry.hasRoom(for: listener) else { return false }
      registry.join(listener)
      return true
    }
  }

  /// Removes a channel.
  func leave(_ listener: ChannelListener) { registry.withLock { $0.leave(listener) } }

  /// Replaces a channel by one with a new holder; no entry is missed or repeated.
  ///
  /// - Returns: Whether it was replaced. Otherwise it is removed, because its new holder's bindings would weigh too
  ///   much.
  func renew(_ former: ChannelListener, as renewed: ChannelListener) -> Bool {
    change { registry in
      registry.leave(former)
      guard registry.hasRoom(for: renewed) else { return false }
      registry.join(renewed)
      return true
    }
  }

  /// Changes the listeners, and starts to follow the book from its present state if nobody listened before.
  private func change(_ change: (inout Registry) -> Bool) -> Bool {
    let present = book.read { $0 }
    let (isDone, begins) = registry.withLock { registry in
      (change(&registry), registry.begin())
    }
    if begins { beginning.yield(present) }
    return isDone
  }

  /// Sends a message to all others in a room.
  func broadcast(_ frame: PhoenixFrame, from sender: ChannelListener, toSelf: Bool) {
    let others = registry.withLock { registry in
      registry.rooms[Topic(schema: sender.schema, topic: sender.topic)]?.values
        .filter { toSelf || $0.number != sender.number } ?? []
    }
    for listener in others { listener.socket.send(frame) }
  }

  /// Follows the book until the server stops, whenever somebody listens. Reading each commit again would cost as
  /// much as making it, so it is not done for nobody.
  func run() async throws {
    await cancelWhenGracefulShutdown { [self] in
      for await state in beginnings {
        do {
          try await follow(from: state)
        } catch {
          guard !Task.isCancelled else { return }
          logger.error("changes not sent", metadata: ["reason": "\(error)"])
          disconnectAll()
        }
      }
    }
  }

  /// Disconnects all listeners, because some changes were not read; those who join again start afresh.
  private func disconnectAll() {
    let lost = registry.withLock { registry in
      registry.isFollowing = false
      return registry.listeners.values.flatMap(\.values).flatMap(\.values)
    }
    for listener in lost { listener.socket.disconnect(Self.unread) }
  }

  private static let unread = "Changes could not be read: pull, then join again."

  /// Follows the book from a state, until an entry is recorded while nobody listens.
  private func follow(from state: BookState) async throws {
    var past = state
    for try await entries in book.reader.tail(from: past.position + 1).batches {
      past = notify(entries, since: past)
      if registry.withLock({ $0.rest() }) { return }
    }
  }

  /// Notifies listeners of entries; returns the state after them.
  private func notify(_ entries: [Entry], since past: BookState) -> BookState {
    let present = book.read { $0 }
    let listeners = registry.withLock { $0.listeners }
    if listeners.values.allSatisfy(\.isEmpty) {
      // Nobody listens; channels that join later start from the present.
      return present.position >= (entries.last?.head.position ?? 0) ? present : past
    }
    var state = past
    for commit in CommitChanges.commits(among: entries, after: state.position) {
      let before = state
      var changes: [String: CommitChanges] = [:]
      for entry in commit {
        let last = state
        state.apply(entry)
        for (name, accounts) in listeners where !accounts.isEmpty {
          guard let schema = schemas[name] else { continue }
          changes[name, default: CommitChanges()].note(entry, last, state, in: schema)
        }
      }
      guard let entry = commit.last else { continue }
      for (name, accounts) in listeners {
        changes[name].map { notify($0, of: entry, before, state, to: accounts) }
      }
      lag.noteDelivered(of: entry.head.at)
    }
    // Two states that were replayed separately share no memory, so the book's own is kept.
    return present.position == state.position ? present : state
  }

  /// Notifies listeners of the rows that a commit changed, comparing each before and after the whole commit.
  private func notify(
    _ changes: CommitChanges, of entry: Entry, _ before: BookState, _ after: BookState,
    to accounts: [Key: [Int: ChannelListener]]
  ) {
    var found: [NotifiedRow: (change: RowChange, channels: [ChannelListener])] = [:]
    var order: [NotifiedRow] = []
    for (table, touched) in changes.rows {
      for number in Set(touched.audience) {
        guard let key = (after.accounts[number] ?? before.accounts[number])?.key,
          let channels = accounts[key]?.values.filter({ channel in
            // A channel that joined while this entry was waiting has already read its result.
            channel.since < entry.head.position && channel.bindings.contains { $0.wants(table) }
          }), !channels.isEmpty
        else { continue }
        // Looking up a row may require scanning the journal, so it is done only for those who listen.
        let seen: RowChange?
        do {
          seen = try RowChange(
            touched, of: table, by: entry, before, after, for: number, book.reader, directory)
        } catch {
          logger.error("a change not sent", metadata: ["reason": "\(error)"])
          for channel in channels { channel.socket.disconnect(Self.unread) }
          continue
        }
        guard let change = seen else { continue }
        let row = NotifiedRow(table: table.name, key: change.primaryKey, person: number)
        if let former = found[row] {
          // A moved row may be touched under two keys: its former one and its present one.
          found[row]?.change = former.change.joined(with: change)
        } else {
          found[row] = (change, Array(channels))
          order.append(row)
        }
      }
    }
    var (written, last): ([EncodedChange], NotifiedRow?) = ([], nil)
    for row in order {
      if row.table != last?.table || row.key != last?.key { written = [] }
      last = row
      if let (change, channels) = found[row] { deliver(change, to: channels, &written) }
    }
  }

  private func deliver(
    _ change: RowChange, to channels: some Collection<ChannelListener>,
    _ written: inout [EncodedChange]
  ) {
    for channel in channels {
      let ids = channel.bindings.filter {
        $0.wants(change.kind, change.row, of: change.table)
      }.map(\.id)
      guard !ids.isEmpty else { continue }
      // All who see the same change get the same bytes.
      let data: [UInt8]
      if let same = written.first(where: { $0.change.hasSameContent(as: change) }) {
        data = same.data
      } else {
        data = change.encoded()
        written.append(EncodedChange(change: change, data: data))
      }
      channel.socket.send(channel, ids: ids, data)
    }
  }
}

/// A change in its written form.
private struct EncodedChange {
  let change: RowChange
  let data: [UInt8]
}
