public import Calendar
import Daybook
public import DaybookStore
public import Logging
public import ServiceLifecycle
import Values

/// Does what falls due in a book, when it does: settles hives whose days have closed, and puts what people are to be told
/// into the outbox (HH-25, DG-8).
///
/// **Guarantee**: whatever falls due is put into the outbox once, however often the scheduler is stopped and begun, so
/// long as that takes no more than ``ScheduleSettings/lifetimeMilliseconds``; what fell due before is told to nobody, for
/// a reminder of this morning is none.
///
/// It works with one span of time after another. What it found is put into the outbox before it notes how far it has
/// come; a span that is looked at twice says the same with the same deduplication keys.
public actor Scheduler: Service {
  private let book: Book
  private let outbox: any Outbox
  private let store: any DueProgressStore
  private let settings: ScheduleSettings
  private let logger: Logger
  private var watch: DueWatch?

  /// Makes a scheduler.
  ///
  /// - Parameters:
  ///   - book: The book.
  ///   - outbox: Where messages are put.
  ///   - store: Where it keeps up to where it has looked: what loses one loses the other.
  ///   - settings: How often.
  ///   - logger: Where failures are told.
  public init(
    _ book: Book, outbox: any Outbox, progress store: any DueProgressStore,
    settings: ScheduleSettings = ScheduleSettings(), logger: Logger
  ) {
    self.book = book
    self.outbox = outbox
    self.store = store
    self.settings = settings
    self.logger = logger
  }

  /// Looks until the service is shut down.
  public func run() async {
    var last: DueProgress?
    while !Task.isShuttingDownGracefully, !Task.isCancelled {
      let start = ContinuousClock.now
      do {
        if isWorthLooking(after: last) { last = try await step() }
      } catch is CancellationError {
        return
      } catch {
        // Whoever keeps the outbox has told what fails in it, once.
        logger.log(
          level: error is StoreFailure ? .debug : .error,
          "what falls due is not known; looking again", metadata: ["reason": "\(error)"])
        watch = nil
        last = nil
      }
      let rest = settings.rest(after: ContinuousClock.now - start)
      // Who is told to stop rests no longer.
      try? await cancelWhenGracefulShutdown { try await Task.sleep(for: rest) }
    }
  }

  /// Does what fell due since the last step.
  ///
  /// - Returns: Up to where it has looked.
  /// - Throws: ``JournalError``, ``StoreFailure``, or `Rejection`; then the next step sees the same.
  @discardableResult
  public func step() async throws -> DueProgress {
    let now = settings.now()
    let earliest = now.advanced(byMilliseconds: -settings.lifetimeMilliseconds)
    try await settle(at: now)
    let watch = try await watch(at: now, notBefore: earliest)
    let found: [DueNotification]
    do { found = try await watch.look(through: now) } catch {
      self.watch = nil
      throw error
    }
    let state = book.read { $0 }
    let messages = found.filter { $0.at >= earliest }.flatMap {
      $0.messages(in: state, at: now, lifetime: settings.lifetimeMilliseconds)
    }
    let progress = await watch.progress
    do throws(StoreFailure) {
      if !messages.isEmpty { try await outbox.put(messages) }
      try await store.keep(progress)
    } catch {
      // The watch has passed what is not in the outbox: it begins again where the last kept step ended.
      self.watch = nil
      throw error
    }
    if !messages.isEmpty {
      logger.debug("notifications put in", metadata: ["count": "\(messages.count)"])
    }
    return progress
  }

  /// Whether there are new entries, or the clock has gone on for a while: that no minute passes by, and that a book
  /// at rest is left so.
  private func isWorthLooking(after last: DueProgress?) -> Bool {
    guard let last else { return true }
    return book.read { $0.position } != last.position
      || settings.now().milliseconds - last.at.milliseconds >= 15_000
  }

  private func watch(at now: Instant, notBefore earliest: Instant) async throws -> DueWatch {
    if let watch { return watch }
    let opened = try await DueWatch.open(
      book.reader, after: try await store.progress(), notBefore: earliest, at: now)
    watch = opened
    return opened
  }

  /// Records the breaks of shared streaks that are due. Deciding is cheap and pure: so the journal is asked for a commit
  /// only when there is something to write.
  private func settle(at now: Instant) async throws {
    let context = Context(
      actor: nil, at: now, freshKey: Key(high: 0, low: 0), zones: book.reader.zones)
    let isDue = try book.read { try Settle().decide($0, context).answer > 0 }
    guard isDue else { return }
    let count = try await book.record(Settle())
    if count > 0 { logger.info("hives settled", metadata: ["broken": "\(count)"]) }
  }
}

/// How often a scheduler looks, and for how long what it finds is worth telling.
public struct ScheduleSettings: Sendable {
  /// How long to rest between two looks.
  public var interval: Duration = .seconds(5)
  /// How long to rest at most where looking takes long, as it does while very much is recorded.
  public var longestInterval: Duration = .seconds(30)
  /// For how many milliseconds after something fell due people are still told: an hour.
  public var lifetimeMilliseconds: Int64 = 3_600_000
  /// The time now: the book's.
  public var now: @Sendable () -> Instant

  /// Makes the usual settings, by the machine's clock unless another is given.
  public init(now: @escaping @Sendable () -> Instant = BookClock.system.now) { self.now = now }

  /// How long to rest after a look: looking takes no more than a tenth of the time, as long as that lets nobody wait
  /// long for what falls due.
  func rest(after look: Duration) -> Duration {
    max(interval, min(look * 9, longestInterval))
  }
}
