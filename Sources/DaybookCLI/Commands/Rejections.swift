import ArgumentParser
import Avro
import Daybook

struct ListRejections: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rejections",
    abstract: "List the codes of rejections, and when each is given.",
    discussion: "Scripts and clients may rely on them: a code never changes its meaning.")

  @OptionGroup var screen: ScreenOptions
  @Flag(help: "Answer in JSON.")
  var json = false

  func run() {
    let codes = RejectionCode.allCases
    guard !json else { return Output.line(JSON.array(codes.map(\.row)).encoded) }
    var table = TextTable([
      .whole("CODE", 9), .whole("KIND", 3), .whole("FIELD", 2), .text("WHEN", 8),
    ])
    for code in codes {
      table.add([code.rawValue, code.kind.rawValue, code.field ?? "", code.meaning])
    }
    table.print()
  }
}
