import Daybook
import DaybookStore
import Foundation

@main
enum EmbedABook {
  static func main() throws {
    let path = FileManager.default.temporaryDirectory.path + "/embed-\(UUID()).daybook"
    defer { try? FileManager.default.removeItem(atPath: path) }
    let book = try Book(at: path)
    let ada = try book.record(CreateAccount(name: "Ada", timeZone: "Europe/London"))
    let read = try book.record(CreateHabit(name: "Read"), by: ada)
    try book.record(LogHabit(read), by: ada)

    let streak = try book.view().streak(of: read)
    print("current streak:", streak.current?.length ?? 0)

    for day in try book.view().audit(of: read).days {
      print(
        day.judged.day, day.judged.mark, day.evidence.map { "#\($0.position) \($0.event.name)" })
    }
  }
}
