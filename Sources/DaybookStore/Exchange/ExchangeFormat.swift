import Avro
import Daybook

/// The form of events in an export: days are dates, amounts are decimals, and entities are named by
/// their keys.
///
/// The type of `Names` decides the direction: numbers to keys, or keys to numbers.
struct ExchangeFormat<Names: EntityNames>: LogicalFormat {
  let names: Names

  func json(of number: Int64, as logicalType: String) throws(TranscodingError) -> JSON? {
    let text: String?
    switch logicalType {
    case "date": text = Day(number: Int(number))?.description
    case "timestamp-millis": text = Instant(milliseconds: number)?.description
    case "time-minutes": text = LocalTime(minutes: Int(number))?.description
    case "thousandths":
      guard let amount = Amount(thousandths: number) else { return nil }
      return .number(amount.description)
    default:
      guard let kind = EntityKind(rawValue: logicalType) else { return nil }
      text = try names.key(of: number, kind).description
    }
    return text.map { .string($0) }
  }

  func json(of bytes: [UInt8], as logicalType: String) -> JSON? {
    switch logicalType {
    case "uuid": (try? Key(encoded: bytes)).map { .string($0.description) }
    case "sha256": IdentityHash(bytes).map { .string($0.description) }
    default: nil
    }
  }

  func number(of json: JSON, as logicalType: String) throws(TranscodingError) -> Int64? {
    switch logicalType {
    case "date":
      guard let day = json.text.flatMap({ Day($0) }) else {
        throw .mismatch(json, "a day such as 2026-03-01")
      }
      return Int64(day.number)
    case "timestamp-millis":
      guard let instant = json.text.flatMap({ Instant($0) }) else {
        throw .mismatch(json, "a time such as 2026-03-01T12:00:00Z")
      }
      return instant.milliseconds
    case "time-minutes":
      guard let time = json.text.flatMap({ LocalTime($0) }) else {
        throw .mismatch(json, "a time of day such as 07:30")
      }
      return Int64(time.minutes)
    case "thousandths":
      guard case .number(let digits) = json, let amount = Amount(digits) else {
        throw .mismatch(json, "a number from 0 to 1000000000 with at most three decimals")
      }
      return amount.thousandths
    default:
      guard let kind = EntityKind(rawValue: logicalType) else { return nil }
      return Int64(try names.number(of: try key(json), kind))
    }
  }

  func bytes(of json: JSON, as logicalType: String) throws(TranscodingError) -> [UInt8]? {
    switch logicalType {
    case "uuid": return try key(json).encoded
    case "sha256":
      guard let hash = json.text.flatMap({ IdentityHash($0) }) else {
        throw .mismatch(json, "a hash of 64 hexadecimal digits")
      }
      return hash.bytes
    default: return nil
    }
  }

  private func key(_ json: JSON) throws(TranscodingError) -> Key {
    guard let key = json.text.flatMap({ Key($0) }) else { throw .mismatch(json, "a UUID") }
    return key
  }
}

/// Maps between the numbers and the keys of entities.
protocol EntityNames {
  func key(of number: Int64, _ kind: EntityKind) throws(TranscodingError) -> Key
  func number(of key: Key, _ kind: EntityKind) throws(TranscodingError) -> Int32
}

/// The keys of all entities so far, by number; sixteen bytes each.
struct KeysByNumber: EntityNames {
  private var keys: [EntityKind: ContiguousArray<Key>] = [:]

  /// Notes what an entry creates.
  mutating func note(_ event: Event) {
    if let (kind, key) = EntityKind.created(by: event) { keys[kind, default: []].append(key) }
  }

  func key(of number: Int64, _ kind: EntityKind) throws(TranscodingError) -> Key {
    guard let known = keys[kind], number >= 1, number <= known.count else {
      throw TranscodingError("no \(kind.word) has the number \(number)")
    }
    return known[Int(number) - 1]
  }

  func number(of key: Key, _ kind: EntityKind) throws(TranscodingError) -> Int32 {
    throw TranscodingError("there is no \(kind.word) \(key)")
  }
}

/// The numbers that a state has for keys. A deleted entity is not found, except by an event that
/// restores it.
struct StateNames: EntityNames {
  let state: BookState
  /// The kind of entity that may be deleted.
  var restored: EntityKind?

  func key(of number: Int64, _ kind: EntityKind) throws(TranscodingError) -> Key {
    throw TranscodingError("no \(kind.word) has the number \(number)")
  }

  func number(of key: Key, _ kind: EntityKind) throws(TranscodingError) -> Int32 {
    let table = state.table(of: kind)
    let number = table.entityNumber(of: key)
    let isDeleted = number.flatMap { table.entity($0)?.isDeleted } ?? false
    guard let number else {
      throw TranscodingError("no line above creates the \(kind.word) \(key)")
    }
    guard !isDeleted || kind == restored else {
      throw TranscodingError("a line above deletes the \(kind.word) \(key)")
    }
    return number
  }
}
