extension Array {
  /// The first elements, which meet a condition that no later element meets. O(log n).
  func sortedPrefix(while meets: (Element) -> Bool) -> ArraySlice<Element> {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if meets(self[middle]) { low = middle + 1 } else { high = middle }
    }
    return self[..<low]
  }
}
