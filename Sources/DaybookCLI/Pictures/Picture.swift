import ArgumentParser
import Pictures

/// An SVG picture with accessible content: a title, a description, and a tooltip on every part.
struct Picture {
  /// The background theme.
  enum ColorTheme: String, CaseIterable, ExpressibleByArgument {
    /// Follows the reader's preference: light, or dark.
    case auto
    case light, dark
  }

  /// The colour of each CSS class on a light and on a dark background.
  private static let colors: [(rule: String, light: String, dark: String)] = [
    (".paper{fill:", "#FFF6E6", "#1C1C1E"), (".ink{fill:", "#1C1C1E", "#F2F2F7"),
    (".faint{fill:", "#6C6C70", "#AEAEB2"), (".track{fill:", "#EADFCB", "#3A3A3C"),
    (".empty{stroke:", "#C9BCA5", "#636366"), (".sign{stroke:", "#6C6C70", "#AEAEB2"),
    (".open{stroke:", "#C77700", "#FFD166"), (".cut{stroke:", "#FFFFFF", "#1C1C1E"),
  ]

  let title: String
  let description: String
  let theme: ColorTheme
  var width: Double
  var height: Double
  /// CSS rules for the picture's own classes, on a light and on a dark background.
  var rules: [(rule: String, light: String, dark: String)] = []
  /// SVG definitions of shapes that are used repeatedly.
  var shapes = ""
  /// CSS rules for the animation: parts of class `f` appear at a moment and stay, those of class `t` are
  /// visible for a time.
  var motion = ""
  private(set) var body = ""

  init(
    _ title: String, _ description: String, _ theme: ColorTheme, width: Double = 0,
    height: Double = 0
  ) {
    self.title = title
    self.description = description
    self.theme = theme
    // The title is never cut off.
    self.width = max(width, 40 + 9.2 * Double(title.columnCount))
    self.height = height
  }

  /// When a part of an animated picture is visible, in seconds from its beginning.
  enum VisibleTime {
    case always
    /// From a second on.
    case from(Double)
    /// From one second to another; not visible at rest.
    case during(Double, Double)

    fileprivate var attributes: String {
      switch self {
      case .always: ""
      case .from(let start): " class=\"f\" style=\"animation-delay:\(SVG.length(start))s\""
      case .during(let start, let end):
        " class=\"t\" style=\"animation-delay:\(SVG.length(start))s;"
          + "animation-duration:\(SVG.length(end - start))s\""
      }
    }
  }

  /// Adds text that is visible for a time.
  mutating func text(_ text: String, x: Double, y: Double, size: Int, _ seen: VisibleTime) {
    body += "<g\(seen.attributes)>"
    self.text(text, x: x, y: y, size: size, "faint")
    body += "</g>\n"
  }

  /// Adds text.
  mutating func text(
    _ text: String, x: Double, y: Double, size: Int = 10, _ style: String = "ink",
    attributes: String = ""
  ) {
    body +=
      "<text class=\"\(style)\" x=\"\(SVG.length(x))\" y=\"\(SVG.length(y))\" font-size=\"\(size)\""
      + "\(attributes.isEmpty ? "" : " " + attributes)>\(SVG.escaped(text))</text>\n"
  }

  /// Adds a part that `Pictures` drew.
  mutating func part(_ svg: String) { body += svg + "\n" }

  /// Adds a predefined shape by name, with a tooltip.
  mutating func use(
    _ name: String, x: Double, y: Double, hint: String? = nil, _ seen: VisibleTime = .always
  ) {
    part(SVG.use(name, at: (x, y), hint: hint, attributes: seen.attributes))
  }

  /// The picture as SVG.
  var svg: String {
    let (width, height) = (SVG.length(width), SVG.length(height))
    return """
      <svg xmlns="http://www.w3.org/2000/svg" width="\(width)" height="\(height)" \
      viewBox="0 0 \(width) \(height)" role="img" aria-labelledby="title description" \
      font-family="system-ui, -apple-system, 'Segoe UI', 'DejaVu Sans', sans-serif">
      <title id="title">\(SVG.escaped(title))</title>
      <desc id="description">\(SVG.escaped(description))</desc>
      <style>\(style)\(motion)</style>
      <defs>
      \(shapes)</defs>
      <rect class="paper" width="100%" height="100%" rx="14"/>
      <text class="ink" x="20" y="28" font-size="15" font-weight="600">\(SVG.escaped(title))</text>
      \(body)</svg>

      """
  }

  private var style: String {
    let all = Self.colors + rules
    let light = all.map { "\($0.rule)\($0.light)}" }.joined()
    let dark = all.map { "\($0.rule)\($0.dark)}" }.joined()
    switch theme {
    case .light: return light
    case .dark: return dark
    case .auto: return "\(light)@media (prefers-color-scheme:dark){\(dark)}"
    }
  }
}

/// The options for drawing an answer.
struct PictureOptions: ParsableArguments {
  @Option(help: "Write it as an SVG picture to this file.", completion: .file())
  var svg: String?

  @Option(help: "The picture's background: light, dark, or auto (like the reader's screen).")
  var theme: Picture.ColorTheme = .auto

  /// Writes the picture, if requested, and reports it unless the answer is for a program.
  ///
  /// - Returns: Whether nothing else was requested.
  /// - Throws: `StorageError`.
  func write(_ picture: () -> Picture) throws -> Bool {
    guard let svg else { return false }
    try FileBytes.replace(svg, with: Array(picture().svg.utf8))
    guard !Output.isForPrograms else { return false }
    Output.line("The picture is in \(svg).")
    return true
  }
}
