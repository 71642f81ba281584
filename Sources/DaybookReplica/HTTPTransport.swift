public import Foundation

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif
import Avro

/// A transport to a server over HTTP.
public struct HTTPTransport: SyncTransport {
  private let address: URL
  private let token: @Sendable () async throws -> String
  private let session: URLSession

  /// Reaches a server.
  ///
  /// - Parameters:
  ///   - server: The server's address, such as `https://daybook.example`.
  ///   - session: Makes the requests.
  ///   - token: The access token of the account, asked for before each request.
  public init(
    to server: URL, session: URLSession = .shared,
    token: @escaping @Sendable () async throws -> String
  ) {
    address = server.appendingPathComponent("v1").appendingPathComponent("sync")
    self.session = session
    self.token = token
  }

  /// Sends a request.
  ///
  /// - Throws: ``ReplicaError``, or what the token's source throws.
  public func exchange(_ request: [UInt8]) async throws -> [UInt8] {
    var message = URLRequest(url: address, timeoutInterval: 60)
    message.httpMethod = "POST"
    message.httpBody = Data(request)
    message.setValue("application/json", forHTTPHeaderField: "Content-Type")
    message.setValue("Bearer \(try await token())", forHTTPHeaderField: "Authorization")
    let (data, response): (Data, URLResponse)
    do {
      (data, response) = try await session.data(for: message)
    } catch {
      if Task.isCancelled { throw CancellationError() }
      throw ReplicaError.unreachable(reason: error.localizedDescription)
    }
    let status = (response as? HTTPURLResponse)?.statusCode ?? 0
    guard status == 200 else {
      let error = (try? JSON(parsing: Array(data)))?["error"]
      throw ReplicaError.refused(
        status: status, code: error?["code"]?.text ?? "http_\(status)",
        message: error?["message"]?.text ?? "The server answered \(status).")
    }
    return Array(data)
  }
}
