import DaybookAuth
import Logging
import ServiceLifecycle

/// Clears away, every hour, what sign-in needs no more: codes that have expired, and what was kept of accounts that were
/// erased.
struct Sweeper: Service {
  let auth: AuthService
  let logger: Logger
  var interval: Duration = .seconds(3600)

  func run() async throws {
    await cancelWhenGracefulShutdown {
      while (try? await Task.sleep(for: interval)) != nil {
        do throws(DatabaseFailure) { try await auth.sweep() } catch {
          logger.error("What is old could not be cleared.", metadata: ["reason": "\(error)"])
        }
      }
    }
  }
}
