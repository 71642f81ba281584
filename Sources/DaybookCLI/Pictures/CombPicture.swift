import Daybook
import DaybookStore
import Pictures

/// A year of a habit as a picture of hexagons: a column for each week and a row for each weekday, with
/// months, weekdays and a legend (HH-14).
///
/// The outcome of a day is shown by shape first, and by colour only in addition.
struct CombPicture {
  let heatmap: Heatmap
  let palette: Palette
  let theme: Picture.ColorTheme

  var picture: Picture {
    let grid = CombGrid(heatmap.cells.map(\.day), top: 62)
    let counts = CombShape.counts(in: heatmap)
    var picture = Picture(
      YearComb.title(of: heatmap), description(counts), theme, width: max(480, grid.size.width))
    picture.rules = CombShape.rules(palette)
    picture.shapes = CombShape.definitions
    grid.drawHeads(&picture)
    for place in heatmap.cells.indices {
      guard let shape = CombShape(heatmap, at: place) else { continue }
      let (x, y) = grid.place(place)
      picture.use(shape.name, x: x, y: y, hint: shape.hint(of: heatmap.cells[place]))
    }
    grid.drawLegend(counts.map(\.shape), &picture)
    return picture
  }

  /// A text description of the comb, for accessibility.
  private func description(_ counts: [(shape: CombShape, count: Int)]) -> String {
    let parts = counts.map { "\($0.count) \($0.shape.meaning)" }
    return
      "A cell for each of \(heatmap.cells.count.counted("day")), a column a week, Monday at the top: "
      + (parts.isEmpty ? "nothing yet" : parts.joined(separator: ", ")) + "."
  }
}
