package import Avro

/// A request or a notification of JSON-RPC 2.0.
package struct ToolMessage {
  /// The name of the method.
  package let method: String
  /// The parameters: an object.
  package let parameters: JSON

  /// Parses a message, which may also be an array of them.
  ///
  /// - Parameter message: The JSON text.
  /// - Returns: The JSON, whatever it holds.
  /// - Throws: ``RPCError`` for a text that is too long, or is not JSON.
  package static func json(in message: [UInt8]) throws(RPCError) -> JSON {
    let limit = ToolLimit.messageByteCount
    guard message.count <= limit else {
      throw .invalidRequest("The message is longer than \(limit) bytes; send less at once.")
    }
    do throws(JSONError) { return try JSON(parsing: message) } catch { throw .notJSON(error) }
  }

  /// Reads a message.
  ///
  /// - Throws: ``RPCError`` for what is none.
  package init(_ message: JSON) throws(RPCError) {
    guard case .object = message else {
      throw .invalidRequest("The message is \(message.kind), not an object.")
    }
    guard message["jsonrpc"] == "2.0" else {
      throw .invalidRequest("jsonrpc: it should be \"2.0\".")
    }
    if let id = message["id"], !Self.isID(id) {
      throw .invalidRequest(
        "id: it should be a string or a number, of at most \(ToolLimit.idByteCount) bytes.")
    }
    guard let method = message["method"]?.text else {
      throw .invalidRequest("method: there should be a name.")
    }
    let parameters = message["params"] ?? .object([])
    guard case .object = parameters else {
      throw .invalidParameters("params: they are \(parameters.kind), not an object.")
    }
    self.method = method
    self.parameters = parameters
  }

  /// The name of the tool or the address of the resource that the message is about.
  package var subject: String? {
    switch method {
    case "tools/call": parameters["name"]?.text
    case "resources/read": parameters["uri"]?.text
    default: nil
    }
  }

  /// The id of a message, as an error repeats it; null where there is none.
  package static func id(of message: JSON) -> JSON {
    guard let id = message["id"], isID(id) else { return .null }
    return id
  }

  /// Whether a value can be the id of a request.
  private static func isID(_ id: JSON) -> Bool {
    switch id {
    case .string(let text), .number(let text): text.utf8.count <= ToolLimit.idByteCount
    case .null, .bool, .array, .object: false
    }
  }

  // MARK: Its version

  private static let versionName = "io.modelcontextprotocol/protocolVersion"
  private static let capabilitiesName = "io.modelcontextprotocol/clientCapabilities"

  /// The version that the message names.
  package var version: JSON? { parameters["_meta"]?[Self.versionName] }

  /// Whether the message stands for itself, outside of any session.
  package var isStateless: Bool { version != nil || method == "server/discover" }

  /// Checks what a message outside of a session has to say of itself.
  ///
  /// - Throws: ``RPCError``.
  package func checkVersion() throws(RPCError) {
    guard let name = version?.text else {
      throw .invalidParameters("_meta: \(Self.versionName) should be a version.")
    }
    guard case .object? = parameters["_meta"]?[Self.capabilitiesName] else {
      throw .invalidParameters("_meta: \(Self.capabilitiesName) should be an object.")
    }
    guard ProtocolVersion(rawValue: name)?.isStateless ?? false else {
      throw .unsupportedVersion(name)
    }
  }
}
