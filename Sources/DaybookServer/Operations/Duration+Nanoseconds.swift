extension Duration {
  /// The duration in nanoseconds, capped at the largest integer.
  var nanoseconds: Int64 {
    let (seconds, attoseconds) = components
    let (product, isOver) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    return isOver ? .max : product + attoseconds / 1_000_000_000
  }
}
