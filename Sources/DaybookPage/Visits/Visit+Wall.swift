import HTTPTypes
import Wire

extension Visit {
  /// Remembers in this browser that it hangs on a wall, or that it does not, and shows the screen.
  func hang(_ isHung: Bool) -> WireResponse {
    var request = request
    request.query.items.removeAll { $0.name == "wall" }
    var response = WireResponse.redirect(to: request.target)
    let value = isHung ? "=1; Max-Age=31536000" : "=; Max-Age=0"
    response.headers.append(
      .init(
        name: .setCookie, value: "\(Self.wallCookie)\(value); Path=/; HttpOnly; SameSite=Lax"))
    return response
  }

  /// Refuses what nobody who passes by is meant to do: to sign out, and to change more than what is done.
  ///
  /// - Parameter command: The command; `nil` for signing out.
  /// - Throws: ``PageRefusal``.
  func checkWall(_ command: String?) throws {
    guard isWall else { return }
    let beginnings = ["log_", "skip_", "clear_", "complete_", "reopen_", "check_", "undo"]
    guard let command, beginnings.contains(where: { command.hasPrefix($0) }) else {
      throw PageRefusal(.forbidden, "refused.wall")
    }
  }
}
