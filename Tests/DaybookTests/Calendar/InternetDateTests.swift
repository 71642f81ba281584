import Daybook
import Testing

@Suite(.tags(.unit)) struct InternetDateTests {
  @Test(arguments: [
    ("1970-01-01T00:00:00Z", "Thu, 01 Jan 1970 00:00:00"),
    ("1969-12-31T23:59:59Z", "Wed, 31 Dec 1969 23:59:59"),
    ("2024-02-29T12:34:56.789Z", "Thu, 29 Feb 2024 12:34:56"),
    ("9999-12-31T23:59:59.999Z", "Fri, 31 Dec 9999 23:59:59"),
    ("0001-01-01T00:00:00Z", "Mon, 01 Jan 0001 00:00:00"),
  ])
  func `an instant has the date format of mails and servers`(_ text: String, _ expected: String)
    throws
  {
    #expect(try #require(Instant(text)).internetDate == expected)
  }
}
