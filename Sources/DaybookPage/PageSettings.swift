package import Values
package import Wire

/// What a server offers to browsers beside its commands and questions.
package struct PageSettings: Sendable {
  /// Whether people sign in by codes that are sent to them; otherwise only by links that the server hands out.
  package var takesCodes = true
  /// Tells the cookies of this page from those of others on the same machine.
  package var cookieMark = ""
  /// Whether the documentation is shown at `/docs`, to everybody.
  package var hasDocuments = false
  /// Starts a checkout of the paid version for an account: `{"url"}`, or `{"error"}` with a sentence (MO-7).
  package var checkout: (@Sendable (Key) async -> WireResponse)?

  /// People sign in by codes, nothing is sold, and no documentation is shown.
  package init() {}
}
