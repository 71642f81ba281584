import Avro
import Daybook
import DaybookStore
import Fuzzing

/// Commands in JSON: any line gets an answer in JSON; a refused one leaves the book unchanged, and so does a repeated
/// one with an idempotency key.
///
/// The lines go to a book with some content: see `BookFixture.lines`.
@c(LLVMFuzzerTestOneInput)
public func fuzzCommands(_ start: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
  let fixture = BookFixture()
  var input = Input(start, count: count)
  while let line = input.take(upTo: UInt8(ascii: "\n")) { check(line, fixture.book) }

  let state = fixture.book.read { $0 }
  // A change in memory by a refused line would not be in the journal.
  let replayed = succeed("the book is replayed") { try fixture.book.reader.state() }
  hold(replayed.digest == state.digest, "the state is what the journal says (law 1)")
  hold(replayed.position == state.position, "the position is the journal's")
  if state.position > fixture.position {
    let reader = fixture.book.reader
    reader.checkViews(of: state, Query(asOf: max(state.at, BookFixture.now), zones: reader.zones))
  }
  return 0
}

private func check(_ line: [UInt8], _ book: Book) {
  let before = book.read { ($0.position, $0.at) }
  let outcome = succeed("a line is answered") { try book.record(line: line) }
  let after = book.read { ($0.position, $0.at) }
  checkJSON(outcome.json)
  hold(after.1 >= before.1, "the clock never runs backwards")

  if outcome.isAccepted {
    let position = outcome.json["position"]?.integer
    hold(
      outcome.json.members?.map(\.name) == ["ok", "position", "last_position", "changed"],
      "an answer has a row, its positions, and whether anything changed")
    hold(position.map { $0 >= 0 && $0 <= after.0 } ?? false, "the position is one of the book's")
    checkRepeated(line, outcome, book)
  } else {
    hold(after == before, "a refused line changes nothing (law 8)")
    let error = outcome.json["error"]
    let isCode = error?["code"]?.text?.utf8.allSatisfy { (0x61...0x7A).contains($0) || $0 == 0x5F }
    hold(isCode ?? false, "a refusal has a code")
    hold(!(error?["message"]?.text ?? "").isEmpty, "a refusal says why")
  }
}

/// A repeated line with an id finds its first receipt, and appends nothing.
private func checkRepeated(_ line: [UInt8], _ first: RequestOutcome, _ book: Book) {
  guard let json = try? JSON(parsing: line), let id = json["id"], id != .null else { return }
  let before = book.read { ($0.position, $0.digest) }
  let again = succeed("a repeated line is answered") { try book.record(line: line) }
  let after = book.read { ($0.position, $0.digest) }
  hold(after == before, "a repeated line changes nothing (law 8)")
  hold(again.json["position"] == first.json["position"], "a repeated line has its first receipt")
}
