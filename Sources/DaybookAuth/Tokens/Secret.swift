import Crypto

/// Secrets: generated at random, stored as hashes, and compared in constant time.
package enum Secret {
  /// A new text of 256 random bits that needs no escaping in an address.
  static func fresh() -> String { Base64URL.encoded(bytes(32)) }

  static func bytes(_ count: Int) -> [UInt8] {
    var generator = SystemRandomNumberGenerator()
    return (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
  }

  /// Six random digits.
  static func code() -> String {
    var generator = SystemRandomNumberGenerator()
    let digits = String(Int.random(in: 0..<1_000_000, using: &generator))
    return String(repeating: "0", count: 6 - digits.count) + digits
  }

  /// The stored hash of a text that cannot be guessed: its SHA-256.
  static func digest(_ text: String) -> String {
    Base64URL.encoded(SHA256.hash(data: Array(text.utf8)))
  }

  /// The stored hash of a code, with its own salt.
  static func digest(_ code: String, salt: String) -> String {
    Base64URL.encoded(
      HMAC<SHA256>.authenticationCode(
        for: Array(code.utf8), using: SymmetricKey(data: Array(salt.utf8))))
  }

  /// Whether two texts are equal, in a time that depends only on their lengths.
  package static func areEqual(_ left: String, _ right: String) -> Bool {
    let (left, right) = (Array(left.utf8), Array(right.utf8))
    guard left.count == right.count else { return false }
    var difference: UInt8 = 0
    for place in left.indices { difference |= left[place] ^ right[place] }
    return difference == 0
  }

  /// Encrypts a text with another text as the key.
  static func sealed(_ text: String, with key: String) throws -> String {
    let box = try AES.GCM.seal(Array(text.utf8), using: sealingKey(key))
    return Base64URL.encoded(Array(box.nonce) + Array(box.ciphertext) + Array(box.tag))
  }

  /// Decrypts a text; `nil` with a wrong key.
  static func opened(_ sealed: String, with key: String) -> String? {
    guard let bytes = Base64URL.decoded(sealed), let box = try? AES.GCM.SealedBox(combined: bytes),
      let text = try? AES.GCM.open(box, using: sealingKey(key))
    else { return nil }
    return String(decoding: Array(text), as: UTF8.self)
  }

  private static func sealingKey(_ text: String) -> SymmetricKey {
    SymmetricKey(data: SHA256.hash(data: Array("successor of \(text)".utf8)))
  }
}
