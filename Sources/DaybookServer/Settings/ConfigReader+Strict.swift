import Configuration

// The library takes a setting that is not what it is to be for one that is not there: what somebody wrote would be passed
// over without a word.
extension ConfigReader {
  /// A whole number.
  ///
  /// - Throws: ``SettingsError`` when it is none, or none of the range.
  func number(
    _ key: ConfigKey, in range: ClosedRange<Int>, default standard: Int
  ) throws(SettingsError) -> Int {
    let number = try setting(key, "a whole number", standard) { try requiredInt(forKey: key) }
    guard range.contains(number) else {
      throw SettingsError(
        "\(key): \(number) cannot be; give a whole number from \(range.lowerBound) to \(range.upperBound)."
      )
    }
    return number
  }

  /// Whether something is to be.
  ///
  /// - Throws: ``SettingsError`` when it says neither.
  func flag(_ key: ConfigKey, default standard: Bool) throws(SettingsError) -> Bool {
    try setting(key, "true or false", standard) { try requiredBool(forKey: key) }
  }

  /// A text.
  ///
  /// - Throws: ``SettingsError`` when it is none.
  func text(_ key: ConfigKey, default standard: String) throws(SettingsError) -> String {
    try setting(key, "a text", standard) { try requiredString(forKey: key) }
  }

  /// Several texts; none where nothing is said.
  ///
  /// - Throws: ``SettingsError`` when it is no list.
  func texts(_ key: ConfigKey) throws(SettingsError) -> [String] {
    try setting(key, "a list", []) { try requiredStringArray(forKey: key) }
  }

  private func setting<Value>(
    _ key: ConfigKey, _ kind: String, _ standard: Value, _ read: () throws -> Value
  ) throws(SettingsError) -> Value {
    do { return try read() } catch {
      // The library's errors are its own, but for their words.
      guard "\(error)".hasPrefix("Missing required") else {
        throw SettingsError("\(key): what it says is not \(kind).")
      }
      return standard
    }
  }
}
