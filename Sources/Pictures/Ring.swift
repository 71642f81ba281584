/// A ring that fills with the share of what is done, such as 3 of 4 members (HH-23).
package struct Ring: Sendable {
  private let done: Int
  private let required: Int

  /// - Parameters:
  ///   - done: How many are done.
  ///   - required: How many there are.
  package init(done: Int, of required: Int) {
    self.done = done
    self.required = required
  }

  /// The ring in a square of 40 by 40 units, with the CSS classes `track`, `share` and `ink`.
  package var body: String {
    // The circumference is 100, so that a share is a length.
    let share = required <= 0 ? 0 : min(100, 100 * Double(done) / Double(required))
    let circle = "cx=\"20\" cy=\"20\" r=\"15.92\""
    return "<circle class=\"track\" \(circle)/>"
      + "<circle class=\"share\" \(circle) pathLength=\"100\" stroke-dasharray=\"\(SVG.length(share)) 100\""
      + " transform=\"rotate(-90 20 20)\"/>"
      + "<text class=\"ink\" x=\"20\" y=\"24\" font-size=\"10\" text-anchor=\"middle\">\(done)/\(required)</text>"
  }

  /// The ring as an element of a page.
  ///
  /// - Parameter label: A text for whoever does not see it.
  /// - Returns: An SVG element.
  package func svg(label: String) -> String {
    "<svg class=\"ring\" viewBox=\"0 0 40 40\" role=\"img\" aria-label=\"\(SVG.escaped(label))\">\(body)</svg>"
  }
}
