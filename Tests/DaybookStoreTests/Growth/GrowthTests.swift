import Avro
import Daybook
import DaybookSamples
import DaybookStore
import Testing

#if DEBUG
  /// What commands cost, counted: how much of the state they read, and how much of it is copied while an earlier
  /// state is held, as in `apply` and in batches.
  @Suite(.tags(.law)) struct GrowthTests {
    private struct Count {
      var read: Int
      var copied: Int
    }

    private static func counts(of count: Int) throws -> [String: Count] {
      let growth = try GrowthBook(of: count)
      let costs = try GrowthBook.costs(of: [growth], times: 5) { book, command in
        let before = book.read { $0 }
        let counter = ReadCounter()
        let outcome = try ReadCounter.$current.withValue(counter) { try command() }
        let copied = book.read { $0.unsharedCount(with: before) }
        return (outcome, Count(read: counter.total, copied: copied))
      }
      return Dictionary(
        costs.map { name, books in
          let counts = books[0]
          return (
            name,
            Count(
              read: counts.map(\.read).sorted()[2], copied: counts.map(\.copied).sorted()[2])
          )
        }
      ) { first, _ in first }
    }

    @Test func `no command reads or copies more in a book ten times as large`() throws {
      let small = try Self.counts(of: 200)
      let large = try Self.counts(of: 2000)
      // Every command is included.
      #expect(Set(small.keys) == Set(Request.names))
      for name in Request.names {
        guard let few = small[name], let many = large[name] else { continue }
        #expect(many.read <= few.read + 24, "\(name) reads \(many.read), before \(few.read)")
        // A tree of ten times as many is at most one level higher, and each of its nodes has up to 64 children.
        #expect(
          many.copied <= 2 * few.copied + 400, "\(name) copies \(many.copied), before \(few.copied)"
        )
        #expect(many.copied < 3000, "\(name) copies \(many.copied)")
      }
    }

    @Test func `a held state does not see later entries`() throws {
      let growth = try GrowthBook(of: GrowthBook.smallestCount)
      let before = growth.book.read { $0 }
      let digest = before.digest
      _ = try GrowthBook.costs(of: [growth], times: 1) { (try $1(), ()) }
      #expect(before.digest == digest)
      #expect(growth.book.read { $0.digest } != digest)
    }
  }
#endif
