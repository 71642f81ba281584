import Archives

extension FileImport.Format {
  /// The format of a file, as far as its name and its beginning tell.
  ///
  /// - Parameters:
  ///   - bytes: The file.
  ///   - name: Its name.
  package init?(recognising bytes: [UInt8], named name: String) {
    let name = name.lowercased()
    if ZipArchive.begins(bytes) {
      let contains = { (text: String) in bytes.firstRange(of: Array(text.utf8)) != nil }
      // An archive holds the names of its files unencoded.
      self = contains("Habits.csv") ? .loop : contains(".csv") ? .todoist : .recipe
      return
    }
    let head = String(decoding: bytes.prefix(8192), as: UTF8.self)
    let start = head.drop { $0.isWhitespace || $0 == "\u{FEFF}" }
    if start.hasPrefix("BEGIN:VCALENDAR") {
      self = .ics
    } else if start.hasPrefix("HabitName") {
      self = .habitbull
    } else if start.hasPrefix("TYPE,CONTENT") || start.hasPrefix("\"TYPE\",") {
      self = .todoist
    } else if start.hasPrefix("[") || start.hasPrefix("{") {
      let isTaskList = head.contains("\"uuid\"") && head.contains("\"status\"")
      self = isTaskList ? .taskwarrior : .recipe
    } else if start.hasPrefix("<") || GzipFile.begins(bytes) {
      self = .recipe
    } else if name.hasSuffix(".csv"), head.contains(",") {
      self = .tickmate
    } else {
      return nil
    }
  }
}
