import Foundation

/// Small archives, made by another program.
enum Samples {
  /// The content of the compressed file in both.
  static let text =
    String(repeating: "The same line again. ", count: 40) + "äöü and some more: "
    + String(
      String.UnicodeScalarView((0..<300).compactMap { Unicode.Scalar(33 + $0 * 7919 % 90) }))

  /// A folder, a compressed file in it, a stored one and an empty one, and a comment.
  static let zip = bytes(
    """
    UEsDBBQAAAAAAABAYVwAAAAAAAAAAAAAAAACAAAAYS9QSwMEFAAAAAgAAEBhXKmGWuWSAAAAigQAAAkAAABhL29uZS\
    50eHQLyUhVKE7MTVXIycxLVUhMT8zM01MIGRUcFRwVJEXw8JLD2w7vUUjMS1EozgfK5eYXpVopKFZVVpSXlZYUFxUW\
    5Ofl5mRnZWakp6WmJCclJsTHxcZER0VGhIeFhgQHBQb4+/n6eHt5eri7ubo4Ozk62NvZ2lhbWVqYm5maGBsZGujr6e\
    poa2lqqKupqigrDT+TAVBLAwQUAAAAAAAAQGFcC/lDVgYAAAAGAAAABwAAAHR3by50eHRzdG9yZWRQSwMEFAAAAAAA\
    AEBhXAAAAAAAAAAAAAAAAAUAAABlbXB0eVBLAQIUAxQAAAAAAABAYVwAAAAAAAAAAAAAAAACAAAAAAAAAAAAAACAAQ\
    AAAABhL1BLAQIUAxQAAAAIAABAYVyphlrlkgAAAIoEAAAJAAAAAAAAAAAAAACAASAAAABhL29uZS50eHRQSwECFAMU\
    AAAAAAAAQGFcC/lDVgYAAAAGAAAABwAAAAAAAAAAAAAAgAHZAAAAdHdvLnR4dFBLAQIUAxQAAAAAAABAYVwAAAAAAA\
    AAAAAAAAAFAAAAAAAAAAAAAACAAQQBAABlbXB0eVBLBQYAAAAABAAEAM8AAAAnAQAADgBtYWRlIGZvciB0ZXN0cw==
    """)

  /// A gzip file with a name.
  static let gzip = bytes(
    """
    H4sICAAAAAAC/29uZS50eHQAC8lIVShOzE1VyMnMS1VITE/MzNNTCBkVHBUcFSRF8PCSw9sO71FIzEtRKM4HyuXmF6\
    VaKShWVVaUl5WWFBcVFuTn5eZkZ2VmpKelpiQnJSbEx8XGREdFRoSHhYYEBwUG+Pv5+nh7eXq4u7m6ODs5Otjb2dpY\
    W1lamJuZmhgbGRro6+nqaGtpaqirqaooKw0/kwGphlrligQAAA==
    """)

  private static func bytes(_ base64: String) -> [UInt8] {
    Array(Data(base64Encoded: base64) ?? Data())
  }
}
