import HTTPTypes
import Wire

extension TableRequest {
  /// Tells by which methods a table is asked.
  func options(of table: Table) -> WireResponse {
    allowing(
      table.writer == nil ? "OPTIONS,GET,HEAD" : "OPTIONS,GET,HEAD,POST,PUT,PATCH,DELETE")
  }

  /// Tells by which methods a function is called.
  ///
  /// - Throws: ``TableError`` (`PGRST202`) for one that there is not.
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
