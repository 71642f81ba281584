import HTTPTypes
import Values

extension HTTPFields {
  /// The value of the first header of a name, which is given in lower case.
  func first(_ name: String) -> String? { first { $0.name.canonicalName == name }?.value }

  /// The media type of the body, in lower case and without its parameters.
  var mediaType: String? {
    self[.contentType].map { text in
      let type = text.prefix { $0 != ";" }
      return String(type.filter { !$0.isWhitespace }).lowercased()
    }
  }

  /// The idempotency key: a UUID, with or without quotation marks.
  ///
  /// - Throws: ``APIRefusal`` if it is not a UUID.
  func idempotencyKey() throws(APIRefusal) -> Values.Key? {
    guard let text = first("idempotency-key") else { return nil }
    let isQuoted = text.count > 2 && text.hasPrefix("\"") && text.hasSuffix("\"")
    guard let key = Values.Key(isQuoted ? String(text.dropFirst().dropLast()) : text) else {
      throw .invalid("Idempotency-Key", "\"\(text)\" is not a UUID")
    }
    return key
  }

  /// Whether the request already has the answer with an entity tag.
  package func matches(_ tag: String) -> Bool {
    self[values: .ifNoneMatch].contains { list in
      list.split(separator: ",").contains { item in
        let item = item.drop { $0.isWhitespace }.prefix { !$0.isWhitespace }
        return (item.hasPrefix("W/") ? item.dropFirst(2) : item) == tag
      }
    }
  }
}
