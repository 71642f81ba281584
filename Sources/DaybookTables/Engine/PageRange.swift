import HTTPTypes

/// Which of all rows are asked for.
struct PageRange: Hashable, Sendable {
  var offset = 0
  /// How many at most; nothing for all.
  var limit: Int?

  /// The places of such rows among so many.
  func places(of count: Int) -> Range<Int> {
    let start = min(offset, count)
    return start..<(start + min(limit ?? count, count - start))
  }

  /// What a `Range` header leaves of it: `0-19`, or `20-`.
  ///
  /// - Throws: ``TableError`` (`PGRST103`) for a range that ends before it begins.
  func narrowed(by headers: HTTPFields) throws(TableError) -> PageRange {
    guard let text = headers[.range], (headers[.rangeUnit] ?? "items") == "items" else {
      return self
    }
    let parts = text.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
    // A range of anything but rows is passed over.
    guard parts.count == 2, let first = Self.number(parts[0]),
      let last = parts[1].isEmpty ? .some(.max) : Self.number(parts[1])
    else { return self }
    guard first <= last else {
      throw .range(
        "The lower boundary must be lower than or equal to the upper boundary in the Range header.")
    }
    let end = min(limit.map { offset + $0 } ?? .max, last == .max ? .max : last + 1)
    let start = max(offset, first)
    return PageRange(offset: start, limit: end == .max ? nil : max(0, end - start))
  }

  private static func number(_ digits: Substring) -> Int? {
    guard !digits.isEmpty, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
      return nil
    }
    return min(Int(digits) ?? .max, Int(Int32.max))
  }

  /// The page with at most so many rows.
  func capped(at cap: Int) -> PageRange { PageRange(offset: offset, limit: min(limit ?? cap, cap)) }

  /// The value of `Content-Range` for so many rows of a total, which is nothing when it was not asked for.
  static func header(from offset: Int, count: Int, total: Int?) -> String {
    let rows = count > 0 ? "\(offset)-\(offset + count - 1)" : "*"
    return "\(rows)/\(total.map(String.init) ?? "*")"
  }
}

extension HTTPField.Name {
  /// `Range-Unit`: what a range counts.
  static var rangeUnit: Self { name("Range-Unit") }
  /// `Prefer`: what a client would like (RFC 7240).
  static var prefer: Self { name("Prefer") }
  /// `Preference-Applied`: what it got.
  static var preferenceApplied: Self { name("Preference-Applied") }
  /// `Accept-Profile`: the schema to read.
  static var acceptProfile: Self { name("Accept-Profile") }
  /// `Content-Profile`: the schema to write.
  static var contentProfile: Self { name("Content-Profile") }

  private static func name(_ name: String) -> Self {
    Self(name) ?? .range
  }
}
