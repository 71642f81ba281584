import Avro
import Crypto
import Daybook

/// A line of commands as somebody sent it: what it asks, on whose behalf, and with which secret plain values are
/// hashed. What it came to follows from that and the state that it met.
struct AskedLine: Sendable {
  let json: JSON
  let caller: Caller
  let pepper: Pepper?

  /// What binds a receipt to this line and to the entry on which the line's idempotency key stands: the first half
  /// of the SHA-256 of all of them, so that no bit of any is another one. It begins with the pepper, without which
  /// nobody can try out what a line said.
  ///
  /// Members are in the order of their names, however they were sent. An `id` that is the idempotency key is left
  /// out: it stands on the entry, and may be said beside the line.
  ///
  /// - Returns: The digest; nothing when only the state that the line met says who acts.
  func digest(of receipt: KeptReceipt, on first: Entry) -> [UInt8]? {
    var writer = BinaryWriter()
    writer.bytes.reserveCapacity(1024)
    switch caller {
    case .account(let account):
      writer.put(Int64(account.number))
    case .owner(let find):
      if Request.needsCaller(json) {
        guard let actor = try? find(Self.nobody), actor == first.head.actor else { return nil }
      }
      writer.put(0)
    }
    writer.put(counted: text)
    first.write(to: &writer)
    receipt.write(after: 0, [], to: &writer)
    var hash = SHA256()
    pepper?.update(&hash)
    hash.update(data: writer.bytes)
    return hash.finalize().withUnsafeBytes { [UInt8]($0.prefix(KeptReceipt.digestByteCount)) }
  }

  /// A state in which nobody is: whoever acts in it acts in any.
  private static let nobody = BookState()

  private var text: [UInt8] {
    var writer = JSONWriter()
    let hasKey = Request.id(of: json) != nil
    writer.sorted(json) { hasKey && $0 == "id" }
    return writer.bytes
  }
}

extension JSONWriter {
  /// Writes a value, the members of its objects by name, without some of the outermost.
  fileprivate mutating func sorted(
    _ json: JSON, without isLeftOut: (String) -> Bool = { _ in false }
  ) {
    switch json {
    case .object(let members):
      let members = members.sorted { left, right in
        left.name.utf8.lexicographicallyPrecedes(right.name.utf8)
      }
      object { json in
        for member in members where !isLeftOut(member.name) {
          json.name(member.name)
          json.sorted(member.value)
        }
      }
    case .array(let elements):
      array { json in for element in elements { json.sorted(element) } }
    default: value(json)
    }
  }
}
