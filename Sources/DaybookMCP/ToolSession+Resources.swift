import Avro
import Daybook
import Values

/// The audit of each habit is a resource: `daybook://habits/<key>/audit`.
extension ToolSession {
  private static var prefix: String { "daybook://habits/" }
  private static var suffix: String { "/audit" }

  static var resourceTemplates: JSON {
    [
      "resourceTemplates": [
        [
          "uriTemplate": .string("\(prefix){habit}\(suffix)"), "name": "audit",
          "description":
            "Why a habit's streak is what it is: each day, with the entries that made it so.",
          "mimeType": "application/json",
        ]
      ]
    ]
  }

  mutating func listResources(_ parameters: JSON) async throws(RPCError) -> JSON {
    let habits: [JSON]
    do throws(ToolFailure) {
      let answer = try await book.answer(["ask": "habits"])
      habits = (try? JSON(parsing: answer.text))?.elements ?? []
    } catch { throw .unreadable(error) }
    let page = try ListPage(parameters, of: habits.count)
    return page.result(
      "resources",
      habits[page.range].compactMap { habit in
        guard let key = habit["id"]?.text, let name = habit["name"]?.text else { return nil }
        return [
          "uri": .string("\(Self.prefix)\(key)\(Self.suffix)"), "name": .string("Audit of \(name)"),
          "description": "Each day of the habit, with the entries that made it so.",
          "mimeType": "application/json",
        ]
      })
  }

  mutating func readResource(
    _ parameters: JSON, isStateless: Bool
  ) async throws(RPCError) -> JSON {
    guard let uri = parameters["uri"]?.text else {
      throw .invalidParameters("uri: there should be the address of a resource.")
    }
    let middle = uri.dropFirst(Self.prefix.count).dropLast(Self.suffix.count)
    guard uri.hasPrefix(Self.prefix), uri.hasSuffix(Self.suffix), let key = Key(String(middle))
    else {
      throw .noSuchResource(
        "There is no resource \(uri); resources/list lists them.", isStateless: isStateless)
    }
    let text: [UInt8]
    do throws(ToolFailure) {
      text = try await shortAnswer(to: ["ask": "audit", "habit": .string(key.description)])
    } catch {
      guard error.code == RejectionCode.habitNotFound.rawValue else { throw .unreadable(error) }
      throw .noSuchResource(error.message, isStateless: isStateless)
    }
    return [
      "contents": [
        [
          "uri": .string(uri), "mimeType": "application/json",
          "text": .string(String(decoding: text, as: UTF8.self)),
        ]
      ]
    ]
  }
}
