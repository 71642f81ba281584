package import Avro

// Rejections of JSON that cannot be read as a command.
extension Rejection {
  /// The line is not JSON.
  package static func notJSON(_ error: JSONError) -> Rejection {
    Rejection(.invalidJSON, "The line is \(error).")
  }

  static func notAnObject(_ json: JSON) -> Rejection {
    Rejection(.invalidJSON, "A command is a JSON object, not \(json.kind).")
  }

  static func unknownCommand(_ name: String) -> Rejection {
    Rejection(.unknownCommand, "do: there is no command \"\(name)\".")
  }

  /// There is no question with that name.
  package static func unknownQuestion(_ name: String) -> Rejection {
    Rejection(.unknownQuestion, "ask: there is no question \"\(name)\".")
  }

  static func unknownField(_ field: String, of noun: String = "command") -> Rejection {
    Rejection(.unknownField, field: field, "\(field): this \(noun) has no such field.")
  }

  package static func missingField(_ field: String, of noun: String = "command") -> Rejection {
    Rejection(.missingField, field: field, "\(field): this \(noun) needs it.")
  }

  /// A field holds a value that is not accepted.
  package static func invalidField(_ field: String, _ reason: String) -> Rejection {
    Rejection(.invalidField, field: field, "\(field): \(reason).")
  }

  /// A plain value came where only its hash is stored, and there is no pepper to hash it with.
  static func pepperMissing(_ field: String) -> Rejection {
    Rejection(
      .pepperMissing, field: field,
      "\(field): it is kept only as a hash, and no pepper is set to hash it with; set one, or send the hash."
    )
  }

  /// One of a list of phone numbers, counted from 1, is not one.
  static func invalidPhone(number: Int) -> Rejection {
    Rejection(
      .invalidIdentity, field: "phones",
      "phones: number \(number) of the list is not a phone number such as +442079460958.")
  }
}
