import Configuration
import Foundation

/// A secret, set directly by its name, or read from the file that `<name>File` names.
struct SecretSetting: Sendable {
  /// The secret, as text; `nil` if none is set.
  let text: String?

  /// Reads a secret.
  ///
  /// - Throws: ``SettingsError`` if its file cannot be read.
  init(_ reader: ConfigReader, _ name: String) throws(SettingsError) {
    if let text = reader.string(forKey: ConfigKey(name), isSecret: true) {
      self.text = text
      return
    }
    guard let path = reader.string(forKey: ConfigKey(name + "File")) else {
      text = nil
      return
    }
    do {
      text = try String(contentsOfFile: path, encoding: .utf8)
        .trimmingCharacters(in: .whitespacesAndNewlines)
    } catch {
      throw SettingsError("\(name)File: \(path) cannot be read. Does it exist, and may it be read?")
    }
  }

  var bytes: [UInt8]? { text.map { Array($0.utf8) } }
}
