import HTTPTypes
import Wire

extension TableRequest {
  /// The methods that a table allows.
  func options(of table: AppTable) -> WireResponse {
    allowing(
      table.writer == nil ? "OPTIONS,GET,HEAD" : "OPTIONS,GET,HEAD,POST,PUT,PATCH,DELETE")
  }

  /// The methods that a function allows.
  ///
  /// - Throws: ``TableError`` (`PGRST202`) for a function that does not exist.
  func options(ofFunction name: String) throws(TableError) -> WireResponse {
    guard let function = schema.functions.first(where: { $0.name == name }) else {
      throw missing(name, [])
    }
    return allowing(function.isReadOnly ? "OPTIONS,GET,HEAD,POST" : "OPTIONS,POST")
  }

  private func allowing(_ methods: String) -> WireResponse {
    WireResponse(.ok, headers: [.allow: methods, .accessControlAllowOrigin: "*"])
  }
}
