import Avro
import Daybook
import PropertyTesting
import Testing

@Suite(.tags(.unit)) struct RationalTests {
  @Test(
    arguments: [
      ("2", 2, 1), ("3/2", 3, 2), ("1 1/2", 3, 2), ("2¼", 9, 4), ("4 ½", 9, 2), ("½", 1, 2),
      ("0.5", 1, 2), ("0,5", 1, 2), (".5", 1, 2), ("1⁄3", 1, 3), ("6/4", 3, 2), ("-3/2", -3, 2),
      ("0,125", 1, 8), ("1.500", 3, 2), ("2,25", 9, 4), ("007", 7, 1), ("1\u{A0}¾", 7, 4),
    ] as [(String, Int64, Int64)])
  func `numbers are read as people write them`(text: String, above: Int64, below: Int64) {
    #expect(Rational(text) == Rational(above, over: below))
  }

  @Test(arguments: [
    "", "-", "a", "1/0", "1,500", "1 2", "1 3/2", "2½½", "1/", "/2", "1.", "1e3", "٣", " 1", "1 ",
    "99999999999999999999", "0.00000000000000000001",
  ])
  func `an ambiguous or invalid number is refused`(text: String) {
    #expect(Rational(text) == nil)
  }

  @Test func `a number may have forty digits on either side of its point`() {
    for zeros in [39, 40, 10_000] {
      let isRead = zeros < 40
      #expect((Rational(String(repeating: "0", count: zeros) + "7") == Rational(7)) == isRead)
      // With more than eighteen places the denominator exceeds 64 bits, whatever the digits.
      #expect(Rational("0." + String(repeating: "0", count: zeros) + "7") == nil)
    }
  }

  @Test func `overflowing arithmetic returns nil and never traps`() throws {
    let ends = [Int64.min, .min + 1, -1, 0, 1, .max - 1, .max]
    for above in ends {
      for below in ends {
        guard let left = Rational(above, over: below) else { continue }
        #expect(left.denominator > 0)
        for other in ends {
          let right = Rational(other)
          _ = left.adding(right)
          _ = left.subtracting(right)
          _ = left.multiplied(by: right)
          _ = left.divided(by: right)
          _ = left < right
          _ = (left.wholeAndRest, left.description, left.json)
        }
      }
    }
    #expect(Rational(.max).adding(.one) == nil)
    #expect(Rational(1, over: 0) == nil)
    #expect(Rational.one.divided(by: .zero) == nil)
    #expect(Rational(.min).negated == nil)
    #expect(Rational(.min, over: -1) == nil)
    #expect(Rational(1, over: .min) == nil)
    #expect(Rational(2, over: .min) == Rational(-1, over: 1 << 62))
  }

  @Test func `inverse operations restore a number exactly`() {
    let report = check(
      "arithmetic is exact", .zip(Food.rationals, Food.rationals), cases: 2_000
    ) { left, right in
      try expectEqual(left.adding(right)?.subtracting(right), left)
      try expectEqual(left.adding(right), right.adding(left))
      try expectEqual(left < right, left.subtracting(right).map { $0 < .zero })
      guard right != .zero else { return }
      try expectEqual(left.multiplied(by: right)?.divided(by: right), left)
    }
    #expect(report.passed, "\(report)")
  }

  @Test func `a number reads back from its text, its JSON and its bytes`() {
    let report = check("a number reads back", Food.rationals, cases: 2_000) { number in
      try expectEqual(Rational(number.description), number)
      try expectEqual(Rational(json: number.json), number)
      try expectEqual(try Rational(encoded: number.encoded), number)
      let (whole, rest) = number.wholeAndRest
      try expectEqual(rest.adding(Rational(whole)), number)
      try expect(rest >= .zero && rest < .one)
    }
    #expect(report.passed, "\(report)")
  }

  @Test func `a decimal is a JSON number, and any other fraction a text`() throws {
    #expect(Rational(3, over: 2)?.json == .number("1.5"))
    #expect(Rational(-1, over: 8)?.json == .number("-0.125"))
    #expect(Rational(12).json == .number("12"))
    #expect(Rational(1, over: 3)?.json == .string("1/3"))
    // A double would round it: every double keeps fifteen digits, but not sixteen.
    #expect(Rational("0.123456789012345")?.json == .number("0.123456789012345"))
    #expect(Rational("0.1234567890123456")?.json == .string("0.1234567890123456"))
    #expect(Rational(9_007_199_254_740_993).json == .string("9007199254740993"))
    #expect(Rational(.max, over: 2)?.json == .string("9223372036854775807/2"))
  }

  @Test(arguments: [(1, 0), (1, -2), (2, 4), (0, 2)] as [(Int64, Int64)])
  func `bytes of a fraction not in lowest terms are refused`(above: Int64, below: Int64) {
    let bytes = above.encoded + below.encoded
    #expect(throws: AvroError.outOfRange("a fraction")) { try Rational(encoded: bytes) }
  }
}
