import Avro
public import Daybook
public import DaybookStore

/// The way to the server: it carries one request there and one answer back.
///
/// A transport may lose either, or deliver a request twice. It must not change them.
public protocol SyncTransport: Sendable {
  /// Sends a request.
  ///
  /// - Parameter request: JSON, for `POST /v1/sync`.
  /// - Returns: The body of the answer.
  /// - Throws: ``ReplicaError`` when there is no answer, or when the server refuses.
  func exchange(_ request: [UInt8]) async throws -> [UInt8]
}

/// A transport to a book in the same process.
public struct InProcessTransport: SyncTransport {
  private let source: SyncSource
  private let account: Account.ID

  /// Reaches a book as an account of it.
  public init(to book: Book, as account: Account.ID) {
    self.init(to: SyncSource(book), as: account)
  }

  /// Reaches a book through what serves its devices.
  package init(to source: SyncSource, as account: Account.ID) {
    self.source = source
    self.account = account
  }

  /// Carries out the request.
  ///
  /// - Throws: ``ReplicaError/refused(status:code:message:)``.
  public func exchange(_ request: [UInt8]) async throws -> [UInt8] {
    do {
      let request = try SyncRequest(json: try JSON(parsing: request))
      return Array(try await source.answer(request, for: account).json.encoded.utf8)
    } catch let rejection as Rejection {
      throw ReplicaError.refused(status: 422, code: rejection.code, message: rejection.description)
    } catch {
      throw ReplicaError.refused(status: 503, code: "unavailable", message: "\(error)")
    }
  }
}
