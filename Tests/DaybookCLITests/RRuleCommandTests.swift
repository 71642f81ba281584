import Avro
import Testing

/// The complete output of `rrule`.
@Suite(.tags(.program)) struct RRuleCommandTests {
  @Test func `a rule's occurrences are listed, with their instants in a time zone (DM-4)`() throws {
    let daybook = try Program()
    let berlin = try daybook(
      "rrule", "FREQ=DAILY;COUNT=3", "--start", "2026-03-28T02:30", "--zone", "Europe/Berlin")
    #expect(
      berlin.output == """
        Sat  2026-03-28T02:30:00  2026-03-28T01:30:00Z
        Sun  2026-03-29T02:30:00  2026-03-29T01:30:00Z  the clock shows 2026-03-29T03:30:00
        Mon  2026-03-30T02:30:00  2026-03-30T00:30:00Z

        """)
    #expect(berlin.status == 0)
    let json = try daybook(
      "rrule", "freq=weekly;byhour=9", "--start", "2026-03-02", "--count", "2", "--rdate",
      "2026-03-04", "--exdate", "2026-03-09", "--from", "2026-03-03", "--json")
    #expect(
      json.output == """
        {"rule":"FREQ=WEEKLY","start":"2026-03-02","occurrences":["2026-03-04","2026-03-16"],"more":true}

        """)
    let never = try daybook(
      "rrule", "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30", "--start", "2026-03-02T09:00")
    #expect(never.output == "It does not occur.\n" && never.status == 0)
    let until = try daybook(
      "rrule", "FREQ=HOURLY", "--start", "2026-03-02T22:30", "--until", "2026-03-02")
    #expect(until.output == "Mon  2026-03-02T22:30:00\nMon  2026-03-02T23:30:00\n")
  }

  @Test func `a bad rule is refused, or tolerated with a warning (DM-4)`() throws {
    let daybook = try Program()
    let words = ["rrule", "FREQ=WEEKLY;BYMONTHDAY=13", "--start", "2026-03-01", "--count", "1"]
    let refused = try daybook.run(words)
    #expect(refused.status == 1 && refused.output.isEmpty)
    #expect(
      refused.error == "BYMONTHDAY=13: it cannot stand with FREQ=WEEKLY (RFC 5545, 3.3.10).\n")
    let tolerated = try daybook.run(words + ["--tolerant"])
    #expect(tolerated.output == "Fri  2026-03-13\nand so on\n" && tolerated.status == 0)
    #expect(tolerated.error == refused.error)
    let told = try daybook.run(words + ["--tolerant", "--json"]).json()
    #expect(told["faults"]?.elements?.count == 1)
  }

  @Test func `invalid arguments are refused with the right exit code`() throws {
    let daybook = try Program()
    let rule = "FREQ=DAILY"
    for (words, status) in [
      ([rule], 2), ([rule, "--start", "soon"], 2),
      ([rule, "--start", "2026-03-01", "--count", "0"], 2),
      ([rule, "--start", "2026-03-01", "--until", "2026-02-30"], 2),
      ([rule, "--start", "2026-03-01", "--zone", "Mars/Olympus"], 1),
    ] as [([String], Int32)] {
      let run = try daybook.run(["rrule"] + words)
      #expect(run.status == status && run.output.isEmpty, "\(words)")
      #expect(run.error.split(separator: "\n").count == 1, "\(words): \(run.error)")
    }
  }

  @Test func `questions are answered line by line`() throws {
    let daybook = try Program()
    let run = try daybook(
      "rrule", "-",
      input: """
        {"rule":"FREQ=DAILY","start":"2026-03-01T09:00","count":1,"zone":"Asia/Kathmandu"}

        {"rule":"FREQ=DAILY;COUNT=0","start":"2026-03-01"}
        {"rule":"FREQ=DAILY","start":"2026-03-01","colour":"red"}
        """)
    #expect(run.status == 1)
    #expect(
      run.output == """
        {"rule":"FREQ=DAILY","start":"2026-03-01T09:00:00","occurrences":["2026-03-01T09:00:00"],"more":true,"zone":"Asia/Kathmandu","instants":["2026-03-01T03:15:00Z"]}
        {"error":{"code":"invalid_recurrence_rule","message":"COUNT=0: it must be 1 or more (RFC 5545, 3.3.10)."}}
        {"error":{"code":"malformed","message":"there is no field \\"colour\\""}}

        """)
  }
}
