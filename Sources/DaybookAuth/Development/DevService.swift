import Avro
import Daybook
import DaybookStore
import HTTPTypes
import Values
public import Wire

/// The endpoints under `/dev` of a development server: the messages it would have sent, and id tokens that it
/// accepts.
public struct DevService: Sendable {
  private let auth: AuthService
  private let issuer: DevelopmentIssuer

  /// Makes the service; `nil` unless the settings are for development.
  public init?(_ auth: AuthService) {
    guard auth.settings.isDevelopment, let issuer = auth.developmentIssuer else { return nil }
    self.auth = auth
    self.issuer = issuer
  }

  /// Answers a request.
  ///
  /// - Parameter request: A request with the path after `/dev`.
  /// - Returns: The answer, or an error in the form of ``AuthService/answer(_:)``.
  public func answer(_ request: WireRequest) async -> WireResponse {
    do {
      switch (request.method.rawValue, request.path.joined(separator: "/")) {
      case ("GET", "outbox"): return try await outbox(request)
      case ("POST", "id_token"): return try identityToken(AuthRequest(request, needsBody: true))
      case ("GET", "authorize"): return try authorize(request)
      default: throw AuthFailure.notFound
      }
    } catch let failure as AuthFailure {
      return failure.response(versioned: true)
    } catch is DatabaseFailure {
      return AuthFailure.unavailable.response(versioned: true)
    } catch {
      return AuthFailure.unexpected.response(versioned: true)
    }
  }

  /// `GET /outbox?to=`: the messages to an e-mail address or a phone, oldest first.
  private func outbox(_ request: WireRequest) async throws -> WireResponse {
    let asked = request.query["to"] ?? ""
    let address = Address(.email, asked) ?? Address(.phone, asked)
    let messages = try await auth.database.messages(to: address?.value ?? asked)
    return WireResponse(.ok, .array(messages.map(Self.json)))
  }

  private static func json(_ message: OutboxMessage) -> JSON {
    var members: [JSON.Member] = [
      .init("id", .string(message.id.description)),
      .init("channel", .string(message.channel.rawValue)),
      .init("to", .string(message.recipient)), .init("template", .string(message.template)),
    ]
    members += message.payload.members ?? []
    members.append(.init("created_at", .string(message.created.description)))
    return .object(members)
  }

  /// `POST /id_token`: an id token for the person in the body.
  private func identityToken(_ request: AuthRequest) throws -> WireResponse {
    guard let provider = Self.provider(try request.neededText("provider")) else {
      throw AuthFailure.invalid("provider must be apple or google")
    }
    let token = try issuer.token(
      provider, subject: try request.text("sub") ?? Key().description,
      email: try request.address(.email)?.value, nonce: try request.text("nonce_sha256"),
      at: auth.now)
    return WireResponse(.ok, ["id_token": .string(token)])
  }

  /// `GET /authorize`: a provider's page that signs in at once, as the person in `email` and `sub`.
  private func authorize(_ request: WireRequest) throws -> WireResponse {
    guard let provider = Self.provider(request.query["provider"] ?? "") else {
      throw AuthFailure.invalid("provider must be apple or google")
    }
    let subject = request.query["sub"] ?? Key().description
    let email = request.query["email"] ?? "dev-\(subject.prefix(8))@example.com"
    let query = PercentCode.query([
      ("state", request.query["state"] ?? ""),
      ("code", issuer.code(provider, subject: subject, email: email)),
    ])
    return WireResponse(
      .found, headers: [.location: "\(auth.settings.siteURL)/auth/v1/callback?\(query)"])
  }

  private static func provider(_ name: String) -> IdentityKind? {
    switch name {
    case "apple": .apple
    case "google": .google
    default: nil
    }
  }
}
