import HTTPTypes
import Wire

extension TableRequest {
  /// Answers which methods a table accepts.
  func options(of table: Table) -> WireResponse {
    allowing(
      table.writer == nil ? "OPTIONS,GET,HEAD" : "OPTIONS,GET,HEAD,POST,PUT,PATCH,DELETE")
  }

  /// Answers which methods a function accepts.
  ///
  /// - Throws: ``TableError`` (`PGRST202`) for an unknown function.
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
