import Avro
import Crypto
public import Daybook

extension BookState {
  /// The digest of what the state says: SHA-256 of its rows, a line each, in lower-case hexadecimal.
  ///
  /// Two books that say the same have the same digest, whatever their block sizes, positions and numbers
  /// are, on every platform (law 1).
  public var digest: String {
    var hash = SHA256()
    for table in tables {
      hash.update(data: Array("\(table.name)\n".utf8))
      table.listing.forEachPage(in: .lines) { page in hash.update(data: page) }
    }
    return hash.finalize().map { byte in
      let digits = String(byte, radix: 16)
      return digits.count == 1 ? "0" + digits : digits
    }.joined()
  }
}
