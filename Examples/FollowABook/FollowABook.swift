import Daybook
import DaybookStore
import Foundation

/// Ten people take up a habit at the same time, each in a task of their own, while another task follows the book.
@main
enum FollowABook {
  static func main() async throws {
    let path = FileManager.default.temporaryDirectory.path + "/follow-\(UUID()).daybook"
    defer { try? FileManager.default.removeItem(atPath: path) }
    let book = try Book(at: path)
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { try await follow(book, until: 30) }
      for number in 1...10 {
        group.addTask { try await takeUpReading("Bee \(number)", in: book) }
      }
      try await group.waitForAll()
    }
  }

  static func takeUpReading(_ name: String, in book: Book) async throws {
    let person = try await book.record(CreateAccount(name: name, timeZone: "Europe/London"))
    let read = try await book.record(CreateHabit(name: "Read"), by: person)
    try await book.record(LogHabit(read), by: person)
  }

  static func follow(_ book: Book, until last: Int64) async throws {
    for try await entry in book.reader.tail(from: 1) {
      print(entry.head.position, entry.event.name)
      if entry.head.position == last { break }
    }
  }
}
