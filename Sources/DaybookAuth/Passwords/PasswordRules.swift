/// The rules for new passwords.
enum PasswordRules {
  /// The longest password in bytes, so that hashing it stays quick.
  static let largestByteCount = 1024
  private static let smallestCount = 8

  /// The reasons why a password is too weak, in the words that clients know; empty if it is strong
  /// enough.
  static func weaknesses(of password: String) -> [String] {
    var reasons: [String] = []
    if password.count < smallestCount { reasons.append("length") }
    if commonest.contains(password.lowercased()) { reasons.append("pwned") }
    return reasons
  }

  /// The most common leaked passwords of eight characters or more, which are tried first.
  private static let commonest: Set<String> = [
    "00000000", "11111111", "12121212", "12341234", "123123123", "12344321", "12345678",
    "123456789", "1234567890", "123456789a", "1234qwer", "123qweasd", "147258369", "1q2w3e4r",
    "1q2w3e4r5t", "1qaz2wsx", "1qazxsw2", "22222222", "55555555", "66666666", "77777777",
    "87654321", "88888888", "987654321", "9876543210", "99999999", "a1b2c3d4", "aa123456",
    "aaaaaaaa", "abc12345", "abcd1234", "abcdefgh", "access14", "asdf1234", "asdfasdf",
    "asdfghjk", "asdfghjkl", "asdf;lkj", "azerty123", "baseball", "basketball", "benjamin",
    "blink182", "butterfly", "changeme", "charlie1", "charlotte", "chocolate", "computer",
    "corvette", "danielle", "december", "dragon123", "einstein", "elephant", "facebook",
    "football", "football1", "garfield", "google123", "hello123", "iloveyou", "iloveyou1",
    "internet", "jennifer", "jonathan", "letmein1", "letmein123", "liverpool", "lovely123",
    "master123", "michelle", "midnight", "mercedes", "monkey123", "mustang1", "naruto123",
    "nicholas", "november", "p@ssw0rd", "p@ssword", "pa55word", "pakistan", "passw0rd",
    "password", "password!", "password1", "password12", "password123", "password1234",
    "passwort", "pokemon123", "princess", "princess1", "q1w2e3r4", "q1w2e3r4t5", "qazwsxedc",
    "qwer1234", "qwerty12", "qwerty123", "qwerty1234", "qwertyui", "qwertyuiop", "samantha",
    "secret123", "september", "sunshine", "sunshine1", "superman", "test1234", "testtest",
    "trustno1", "victoria", "welcome1", "welcome123", "whatever", "william1", "xxxxxxxx",
    "zaq12wsx", "zxcvbnm1", "zxcvbnm123",
  ]
}
