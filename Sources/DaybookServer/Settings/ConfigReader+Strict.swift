import Configuration

// The library treats an invalid setting as missing, which would silently ignore it.
extension ConfigReader {
  /// A whole number.
  ///
  /// - Throws: ``SettingsError`` if it is not a number, or out of range.
  func number(
    _ key: ConfigKey, in range: ClosedRange<Int>, default standard: Int
  ) throws(SettingsError) -> Int {
    let number = try setting(key, "a whole number", standard) { try requiredInt(forKey: key) }
    guard range.contains(number) else {
      throw SettingsError(
        "\(key): \(number) is out of range; give a whole number from \(range.lowerBound) to "
          + "\(range.upperBound)."
      )
    }
    return number
  }

  /// A boolean.
  ///
  /// - Throws: ``SettingsError`` if it is neither true nor false.
  func flag(_ key: ConfigKey, default standard: Bool) throws(SettingsError) -> Bool {
    try setting(key, "true or false", standard) { try requiredBool(forKey: key) }
  }

  /// A text.
  ///
  /// - Throws: ``SettingsError`` if it is not a text.
  func text(_ key: ConfigKey, default standard: String) throws(SettingsError) -> String {
    try setting(key, "a text", standard) { try requiredString(forKey: key) }
  }

  /// A list of texts; empty by default.
  ///
  /// - Throws: ``SettingsError`` if it is not a list.
  func texts(_ key: ConfigKey) throws(SettingsError) -> [String] {
    try setting(key, "a list", []) { try requiredStringArray(forKey: key) }
  }

  private func setting<Value>(
    _ key: ConfigKey, _ kind: String, _ standard: Value, _ read: () throws -> Value
  ) throws(SettingsError) -> Value {
    do { return try read() } catch {
      // The library's error types are internal, so only their text tells them apart.
      guard "\(error)".hasPrefix("Missing required") else {
        throw SettingsError("\(key): its value is not \(kind).")
      }
      return standard
    }
  }
}
