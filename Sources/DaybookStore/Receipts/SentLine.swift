import Avro
import Crypto
import Daybook

/// A line with a command as it was sent: its text, its caller, and the pepper that hashes plain
/// values. Its outcome follows from these and from the state that it met.
struct SentLine: Sendable {
  let json: JSON
  let caller: Caller
  let pepper: Pepper?

  /// The digest that binds a receipt to this line and to the entry that carries the line's
  /// idempotency key: the first half of a SHA-256 over all of them, so that none can be exchanged.
  /// It starts with the pepper, so that nobody without the pepper can guess what a line said.
  ///
  /// Members are sorted by name, in whatever order they were sent. An `id` that is the idempotency
  /// key is left out: the entry carries it, and it may be sent outside the line.
  ///
  /// - Returns: The digest; nil when only the state that the line met says who acts.
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

  /// An empty state: an actor that it resolves is the same in every state.
  private static let nobody = BookState()

  private var text: [UInt8] {
    var writer = JSONWriter()
    let hasKey = Request.id(of: json) != nil
    writer.sorted(json) { hasKey && $0 == "id" }
    return writer.bytes
  }
}

extension JSONWriter {
  /// Writes a value with the members of its objects sorted by name, without some of the outermost
  /// members.
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
