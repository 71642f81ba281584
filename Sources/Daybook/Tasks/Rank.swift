public import Avro

/// The sort key of a task among its siblings: a text between the texts of its neighbours, so that a move changes no
/// other task (fractional indexing).
///
/// A rank consists of a whole part and a fraction, both in base 62 with digits in ASCII order. The first character
/// gives the number of digits of the whole part: `a` one, `b` two, … and below the middle `Z` one, `Y` two, …. So texts
/// compare as numbers do, and after ten thousand appended tasks a rank has four characters. Inserting into the same gap
/// adds a digit to the fraction about every six times.
///
/// Source: D. Greenspan, "Implementing Fractional Indexing" (2020).
public struct Rank: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// The characters.
  public let text: String

  /// The maximum length of a rank.
  package static let maximumCharacterCount = 200
  /// The rank of the first task of all.
  public static let first = Rank(unchecked: "a0")

  init(unchecked text: String) { self.text = text }

  /// Reads a rank; `nil` when the text is not one.
  public init?(_ text: String) {
    let digits = Array(text.utf8)
    guard digits.count <= Self.maximumCharacterCount, let length = Self.wholeLength(of: digits),
      digits.count >= length, digits.dropFirst().allSatisfy({ Base62.value(of: $0) != nil }),
      digits.count == length || digits.last != Base62.zero, digits != Self.smallest
    else { return nil }
    self.init(unchecked: text)
  }

  /// The text.
  public var description: String { text }

  /// Compares the bytes, as texts of ASCII compare.
  public static func < (left: Rank, right: Rank) -> Bool { left.text < right.text }

  /// A rank between two others; at an end of the list where one is missing. If they are out of order, a rank after the
  /// first.
  package static func between(_ low: Rank?, _ high: Rank?) -> Rank {
    if let low, let high, low >= high { return between(low, nil) }
    let digits =
      switch (low.map { Array($0.text.utf8) }, high.map { Array($0.text.utf8) }) {
      case (nil, nil): Array(first.text.utf8)
      case (nil, let high?): before(high)
      case (let low?, nil): after(low)
      case (let low?, let high?): between(low, high)
      }
    return Rank(unchecked: String(decoding: digits, as: UTF8.self))
  }

  // The functions below work on the bytes of valid ranks.

  /// The smallest whole part. Alone it is not a rank, because no rank would come before it.
  private static let smallest = [UInt8(ascii: "A")] + [UInt8](repeating: Base62.zero, count: 26)

  private static func before(_ high: [UInt8]) -> [UInt8] {
    let (whole, fraction) = parts(of: high)
    if whole == smallest { return whole + Base62.middle([], fraction) }
    if !fraction.isEmpty { return whole }
    let former = decremented(whole)
    // With the smallest whole part, only ranks with a fraction are valid.
    return former.map { $0 == smallest ? $0 + Base62.middle([], nil) : $0 } ?? whole
  }

  private static func after(_ low: [UInt8]) -> [UInt8] {
    let (whole, fraction) = parts(of: low)
    return incremented(whole) ?? whole + Base62.middle(fraction, nil)
  }

  private static func between(_ low: [UInt8], _ high: [UInt8]) -> [UInt8] {
    let (lowWhole, lowFraction) = parts(of: low)
    let (highWhole, highFraction) = parts(of: high)
    if lowWhole == highWhole { return lowWhole + Base62.middle(lowFraction, highFraction) }
    if let next = incremented(lowWhole), next.lexicographicallyPrecedes(high) { return next }
    return lowWhole + Base62.middle(lowFraction, nil)
  }

  private static func parts(of digits: [UInt8]) -> (whole: [UInt8], fraction: [UInt8]) {
    let length = min(wholeLength(of: digits) ?? digits.count, digits.count)
    return (Array(digits[..<length]), Array(digits[length...]))
  }

  /// The length of the whole part, with the character that gives it.
  private static func wholeLength(of digits: [UInt8]) -> Int? {
    switch digits.first {
    case .some(let head) where (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(head):
      Int(head - UInt8(ascii: "a")) + 2
    case .some(let head) where (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(head):
      Int(UInt8(ascii: "Z") - head) + 2
    default: nil
    }
  }

  /// The next whole part; `nil` after the last.
  private static func incremented(_ whole: [UInt8]) -> [UInt8]? {
    var digits = whole
    for place in digits.indices.dropFirst().reversed() {
      guard digits[place] == Base62.last else {
        digits[place] = Base62.next(digits[place])
        return digits
      }
      digits[place] = Base62.zero
    }
    switch whole[0] {
    case UInt8(ascii: "z"): return nil
    case UInt8(ascii: "Z"): return [UInt8(ascii: "a"), Base62.zero]
    case let head:
      digits[0] = head + 1
      if head >= UInt8(ascii: "a") { digits.append(Base62.zero) } else { digits.removeLast() }
      return digits
    }
  }

  /// The previous whole part; `nil` before the first.
  private static func decremented(_ whole: [UInt8]) -> [UInt8]? {
    var digits = whole
    for place in digits.indices.dropFirst().reversed() {
      guard digits[place] == Base62.zero else {
        digits[place] = Base62.previous(digits[place])
        return digits
      }
      digits[place] = Base62.last
    }
    switch whole[0] {
    case UInt8(ascii: "A"): return nil
    case UInt8(ascii: "a"): return [UInt8(ascii: "Z"), Base62.last]
    case let head:
      digits[0] = head - 1
      if head < UInt8(ascii: "a") { digits.append(Base62.last) } else { digits.removeLast() }
      return digits
    }
  }
}

/// Fractions in base 62.
private enum Base62 {
  static let digits = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz".utf8)
  static let zero = UInt8(ascii: "0")
  static let last = UInt8(ascii: "z")

  static func value(of digit: UInt8) -> Int? {
    switch digit {
    case 0x30...0x39: Int(digit) - 0x30
    case 0x41...0x5A: Int(digit) - 0x41 + 10
    case 0x61...0x7A: Int(digit) - 0x61 + 36
    default: nil
    }
  }

  static func next(_ digit: UInt8) -> UInt8 { digits[min((value(of: digit) ?? 0) + 1, 61)] }
  static func previous(_ digit: UInt8) -> UInt8 { digits[max((value(of: digit) ?? 0) - 1, 0)] }

  /// A fraction between two others, of which the second is greater; below one if there is no second.
  static func middle(_ low: [UInt8], _ high: [UInt8]?) -> [UInt8] {
    var result: [UInt8] = []
    var high = high
    var place = 0
    while true {
      if let digits = high, place >= digits.count, place >= low.count { high = nil }
      let below = place < low.count ? value(of: low[place]) ?? 0 : 0
      let above: Int
      if let digits = high {
        above = place < digits.count ? value(of: digits[place]) ?? 0 : 0
      } else {
        above = 62
      }
      if above == below {
        result.append(digits[below])
      } else if above - below > 1 {
        result.append(digits[(above + below + 1) / 2])
        return result
      } else if let digits = high, digits.count > place + 1 {
        // The digit alone is less than any fraction that begins with it.
        result.append(digits[place])
        return result
      } else {
        result.append(digits[below])
        high = nil
      }
      place += 1
    }
  }
}

extension Rank: AvroValue {
  /// `string`.
  public static var schema: Schema { String.schema }

  /// Reads the text.
  @_lifetime(reader: copy reader)
  public init(from reader: inout BinaryReader) throws(AvroError) {
    guard let rank = Rank(try String(from: &reader)) else { throw .invalidLength }
    self = rank
  }

  /// Appends the text.
  public func write(to writer: inout BinaryWriter) { text.write(to: &writer) }
}
