public import Avro

/// A means by which a person signs in and is found by friends: a phone number, an e-mail address, or a subject at Apple
/// or Google (HH-2, DG-1, MO-1, DM-11). At most one account has it.
public struct Identity: Hashable, Comparable, Sendable {
  /// The kind of identity.
  public var kind: IdentityKind
  /// The hash of the value.
  public var hash: IdentityHash

  public init(_ kind: IdentityKind, _ hash: IdentityHash) {
    self.kind = kind
    self.hash = hash
  }

  /// An identity that nobody has.
  static var placeholder: Identity { Identity(.phone, .placeholder) }

  /// Compares by hash, then by kind.
  public static func < (left: Identity, right: Identity) -> Bool {
    (left.hash, left.kind.symbolNumber) < (right.hash, right.kind.symbolNumber)
  }
}

/// The kinds of identities. New ones are added at the end.
public enum IdentityKind: String, AvroEnumeration {
  /// A phone number (E.164).
  case phone
  /// An e-mail address.
  case email
  /// The subject of an Apple id token.
  case apple
  /// The subject of a Google id token.
  case google

  public static var enumerationName: String { "IdentityKind" }

  /// The normalised form of a value, in which all ways to write it are equal: this is what is hashed.
  ///
  /// | kind | form |
  /// |---|---|
  /// | phone | without space, dots, dashes and brackets: `+` and 8…15 digits, the first not 0 (E.164) |
  /// | email | without space around it, in lower case: something, `@`, a domain with a dot in it |
  /// | apple, google | as it is |
  ///
  /// - Throws: ``Rejection/invalidIdentity(_:)``. The message does not repeat the value.
  package func normalised(_ value: String) throws(Rejection) -> String {
    let normalised: String
    let isSane: Bool
    switch self {
    case .phone:
      normalised = value.phoneSigns
      isSane = normalised.isPhone
    case .email:
      normalised = value.trimmingSpace.lowercased()
      isSane = normalised.isAddress
    case .apple, .google:
      normalised = value
      isSane = (1...255).contains(value.utf8.count) && !value.hasControls
    }
    guard isSane else { throw .invalidIdentity(self) }
    return normalised
  }
}

extension String {
  /// The text without the characters that people put between the digits of a phone number.
  fileprivate var phoneSigns: String {
    var signs = ""
    for scalar in unicodeScalars {
      switch scalar.properties.generalCategory {
      case .spaceSeparator, .dashPunctuation: continue
      default: if !".()[]\t".unicodeScalars.contains(scalar) { signs.unicodeScalars.append(scalar) }
      }
    }
    return signs
  }

  /// Whether the text is an E.164 phone number.
  fileprivate var isPhone: Bool {
    let digits = utf8.dropFirst()
    return utf8.first == UInt8(ascii: "+") && (8...15).contains(digits.count)
      && digits.first != UInt8(ascii: "0")
      && digits.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
  }

  /// Whether the text has the shape of an e-mail address. Only sending mail can show that it arrives.
  fileprivate var isAddress: Bool {
    let parts = split(separator: "@", omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[0].isEmpty, utf8.count <= 254, !hasControls,
      !contains(where: \.isWhitespace),
      // An invisible character would make two addresses out of one.
      !unicodeScalars.contains(where: { $0.properties.generalCategory == .format })
    else { return false }
    let labels = parts[1].split(separator: ".", omittingEmptySubsequences: false)
    return labels.count >= 2 && labels.allSatisfy { !$0.isEmpty }
  }
}
