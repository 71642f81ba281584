public import Calendar
import Daybook
public import DaybookStore
public import Logging
public import ServiceLifecycle
import Values

/// Does what falls due in a book, on time: settles hives whose days have closed, and puts notifications into the
/// outbox (HH-25, DG-8).
///
/// **Guarantee**: whatever falls due is put into the outbox exactly once, however often the scheduler restarts, if
/// no restart takes longer than ``ScheduleSettings/lifetimeMilliseconds``. What fell due earlier is dropped,
/// because an old reminder is useless.
///
/// It works through one span of time after another. Notifications go into the outbox before the progress is saved;
/// a span that is processed twice gives the same deduplication keys.
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
  ///   - outbox: The outbox for messages.
  ///   - store: The store of its progress, which should be lost only together with the outbox.
  ///   - settings: The intervals.
  ///   - logger: The log of failures.
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

  /// Runs until the service is shut down.
  public func run() async {
    var last: DueProgress?
    while !Task.isShuttingDownGracefully, !Task.isCancelled {
      let start = ContinuousClock.now
      do {
        if isWorthLooking(after: last) { last = try await step() }
      } catch is CancellationError {
        return
      } catch {
        // The outbox's store has already reported the failure once.
        logger.log(
          level: error is StoreFailure ? .debug : .error,
          "what is due cannot be determined; trying again", metadata: ["reason": "\(error)"])
        watch = nil
        last = nil
      }
      let rest = settings.rest(after: ContinuousClock.now - start)
      // Stopping ends the pause.
      try? await cancelWhenGracefulShutdown { try await Task.sleep(for: rest) }
    }
  }

  /// Does what fell due since the last step.
  ///
  /// - Returns: The progress.
  /// - Throws: ``JournalError``, ``StoreFailure``, or `Rejection`; then the next step covers the same span.
  @discardableResult
  public func step() async throws -> DueProgress {
    let now = settings.now()
    let earliest = now.advanced(byMilliseconds: -settings.lifetimeMilliseconds)
    try await settle(at: now)
    let watch = try await watch(at: now, notBefore: earliest)
    let found: [DueNotification]
    do { found = try await watch.advance(through: now) } catch {
      self.watch = nil
      throw error
    }
    let state = book.read { $0 }
    let messages = found.filter { $0.at >= earliest }.flatMap {
      $0.messages(in: state, at: now, lifetime: settings.lifetimeMilliseconds)
    }
    let progress = await watch.progress
    do throws(StoreFailure) {
      if !messages.isEmpty { try await outbox.enqueue(messages) }
      try await store.save(progress)
    } catch {
      // The watch has passed notifications that are not in the outbox, so it starts again from the saved progress.
      self.watch = nil
      throw error
    }
    if !messages.isEmpty {
      logger.debug("notifications queued", metadata: ["count": "\(messages.count)"])
    }
    return progress
  }

  /// Whether there are new entries, or enough time has passed. So no minute is missed, and an idle book is left
  /// alone.
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

  /// Records the breaks of shared streaks that are due. Deciding is cheap and pure, so a commit is made only if
  /// there is something to write.
  private func settle(at now: Instant) async throws {
    let context = Context(
      actor: nil, at: now, freshKey: Key(high: 0, low: 0), zones: book.reader.zones)
    let isDue = try book.read { try Settle().decide($0, context).answer > 0 }
    guard isDue else { return }
    let count = try await book.record(Settle())
    if count > 0 { logger.info("hives settled", metadata: ["broken": "\(count)"]) }
  }
}

/// The intervals of a scheduler, and how long its notifications are worth sending.
public struct ScheduleSettings: Sendable {
  /// The pause between two looks.
  public var interval: Duration = .seconds(5)
  /// The longest pause where looking takes long, as it does under heavy writing.
  public var longestInterval: Duration = .seconds(30)
  /// How long after something fell due its people are still notified, in milliseconds: an hour.
  public var lifetimeMilliseconds: Int64 = 3_600_000
  /// The time now, by the book's clock.
  public var now: @Sendable () -> Instant

  /// Makes the default settings, with the machine's clock by default.
  public init(now: @escaping @Sendable () -> Instant = BookClock.system.now) { self.now = now }

  /// The pause after a look: looking takes at most a tenth of the time, unless notifications would then be late.
  func rest(after look: Duration) -> Duration {
    max(interval, min(look * 9, longestInterval))
  }
}
