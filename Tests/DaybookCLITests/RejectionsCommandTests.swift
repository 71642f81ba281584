import Avro
import Daybook
import Foundation
import Testing

/// `daybook rejections` prints the table of all codes, without a book.
@Suite(.tags(.program)) struct RejectionsCommandTests {
  @Test func `every rejection code is listed, in text and in JSON`() throws {
    let daybook = try Program()
    let rows = try #require(try daybook("rejections", "--json").json().elements)
    #expect(rows.compactMap { $0["code"]?.text } == RejectionCode.allCases.map(\.rawValue))
    let row =
      #"{"code":"habit_not_found","kind":"not_found","field":"habit","#
      + #""meaning":"There is no such habit, or it was deleted."}"#
    #expect(rows.contains { $0.encoded == row })
    let table = try daybook("rejections")
    #expect(table.status == 0 && table.lines.count == rows.count + 1)
  }
}
