import Avro
import Values

/// What of the book the slider through time is about, and what it can do on a screen.
struct Timeline: Sendable {
  /// A part of what a person sees, by its name in the question `density`; `nil` for all.
  var area: String?
  /// The key of the one thing that the screen shows.
  var about: String?
  /// Whether the screen is about a day, so that there is a handle for it.
  var hasDay = false
  /// Whether the thing can be put back as it was.
  var canPutBack = false

  /// The columns that limit a question to it.
  var columns: [(String, String)] {
    [("area", area), ("about", about)].compactMap { name, value in value.map { (name, $0) } }
  }
}
