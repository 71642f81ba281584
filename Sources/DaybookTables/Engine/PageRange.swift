import HTTPTypes

/// The page of rows that a request asks for.
struct PageRange: Hashable, Sendable {
  var offset = 0
  /// The most rows; `nil` for all.
  var limit: Int?

  /// The places of the page's rows among `count` rows.
  func places(of count: Int) -> Range<Int> {
    let start = min(offset, count)
    return start..<(start + min(limit ?? count, count - start))
  }

  /// The part of the page that a `Range` header leaves: `0-19`, or `20-`.
  ///
  /// - Throws: ``TableError`` (`PGRST103`) for a range that ends before it begins.
  func narrowed(by headers: HTTPFields) throws(TableError) -> PageRange {
    guard let text = headers[.range], (headers[.rangeUnit] ?? "items") == "items" else {
      return self
    }
    let parts = text.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
    // A range in any unit but rows is ignored.
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

  /// The page, limited to `cap` rows.
  func capped(at cap: Int) -> PageRange { PageRange(offset: offset, limit: min(limit ?? cap, cap)) }

  /// The value of `Content-Range` for `count` rows of a total; `nil` for a total that was not requested.
  static func header(from offset: Int, count: Int, total: Int?) -> String {
    let rows = count > 0 ? "\(offset)-\(offset + count - 1)" : "*"
    return "\(rows)/\(total.map(String.init) ?? "*")"
  }
}

extension HTTPField.Name {
  /// `Range-Unit`: the unit of a range.
  static var rangeUnit: Self { name("Range-Unit") }
  /// `Prefer`: the client's preferences (RFC 7240).
  static var prefer: Self { name("Prefer") }
  /// `Preference-Applied`: the preferences that the server honoured.
  static var preferenceApplied: Self { name("Preference-Applied") }
  /// `Accept-Profile`: the schema to read.
  static var acceptProfile: Self { name("Accept-Profile") }
  /// `Content-Profile`: the schema to write.
  static var contentProfile: Self { name("Content-Profile") }

  private static func name(_ name: String) -> Self {
    Self(name) ?? .range
  }
}
