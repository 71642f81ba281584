public import Avro

/// Why a command in its JSON form cannot be read; names the field.
public struct RequestError: Rejection, Hashable {
  /// The stable code: `invalid_json`, `unknown_command`, `unknown_field`, `missing_field`,
  /// `invalid_field`, `pepper_missing`.
  public var code: String
  /// The field, if it is about one.
  public var field: String?
  /// One sentence for the person.
  public var description: String

  init(_ code: String, _ field: String?, _ description: String) {
    self.code = code
    self.field = field
    self.description = description
  }

  /// The line is no JSON.
  public static func notJSON(_ error: JSONError) -> RequestError {
    RequestError("invalid_json", nil, "The line is \(error).")
  }

  static func invalid(_ field: String, _ reason: String) -> RequestError {
    RequestError("invalid_field", field, "\(field): \(reason).")
  }

  /// A plain value came where only its hash is kept, and nothing is there to hash it with.
  static func pepperMissing(_ field: String) -> RequestError {
    RequestError(
      "pepper_missing", field,
      "\(field): it is kept only as a hash, and no pepper is set to hash it with; set one, or send the hash."
    )
  }

  static func missing(_ field: String) -> RequestError {
    RequestError("missing_field", field, "\(field): this command needs it.")
  }
}
