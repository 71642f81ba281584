/// The values that join rows. There is nearly always one, which needs no array.
struct RowKey: Hashable {
  private let first: TableValue
  private let more: [TableValue]

  /// The key of some values; `nil` for none.
  init?(_ values: [TableValue]) {
    guard let first = values.first else { return nil }
    self.first = first
    more = Array(values.dropFirst())
  }

  fileprivate init(_ first: TableValue, _ more: [TableValue]) {
    self.first = first
    self.more = more
  }

  subscript(place: Int) -> TableValue { place == 0 ? first : more[place - 1] }
}

extension Row {
  /// The values of columns; `nil` if one of them is NULL.
  func key(_ columns: [Int]) -> RowKey? {
    guard let column = columns.first, !values[column].isNull else { return nil }
    var more: [TableValue] = []
    for column in columns.dropFirst() {
      if values[column].isNull { return nil }
      more.append(values[column])
    }
    return RowKey(values[column], more)
  }
}
