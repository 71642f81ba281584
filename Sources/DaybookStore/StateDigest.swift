import Avro
import Crypto
public import Daybook

extension BookState {
  /// The digest of the state: SHA-256 of its rows, one line each, in lower-case hexadecimal.
  ///
  /// Two books that say the same have the same digest on every platform, whatever their block
  /// sizes, positions and numbers (law 1).
  public var digest: String {
    var hash = SHA256()
    for table in tables {
      hash.update(data: Array("\(table.name)\n".utf8))
      table.listing.forEachPage(in: .lines) { page in hash.update(data: page) }
    }
    return AvroBytes(Array(hash.finalize())).formText
  }
}
