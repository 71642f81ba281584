import DaybookAuth
import Logging
import ServiceLifecycle

/// Deletes, every hour, what sign-in no longer needs: expired codes, and the data of erased accounts.
struct Sweeper: Service {
  let auth: AuthService
  let logger: Logger
  var interval: Duration = .seconds(3600)

  func run() async throws {
    await cancelWhenGracefulShutdown {
      while (try? await Task.sleep(for: interval)) != nil {
        do throws(DatabaseFailure) { try await auth.sweep() } catch {
          logger.error("Old data could not be removed.", metadata: ["reason": "\(error)"])
        }
      }
    }
  }
}
