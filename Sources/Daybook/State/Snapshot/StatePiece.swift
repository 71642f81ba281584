package import Avro

/// Some decoded records of a state (``StateRecords``): decoding takes as long as inserting them into a state, and can
/// be done ahead of it on another thread.
package struct StatePiece: Sendable {
  private(set) var head: StateHead?
  private(set) var runs: [any EntityRun] = []

  /// No records.
  package init() {}

  /// Reads a record whose branch was read already, and those of its kind that follow it.
  ///
  /// - Parameters:
  ///   - branch: The branch of the first record.
  ///   - count: The maximum number of records to read, including the first.
  ///   - reader: The reader, positioned after the branch.
  /// - Returns: The number of records read; 0 when the branch is not one of a state.
  /// - Throws: ``AvroError`` when the bytes are not such records, or another record was expected.
  @_lifetime(reader: copy reader)
  package mutating func read(
    _ branch: Int64, atMost count: Int, from reader: inout BinaryReader
  ) throws(AvroError) -> Int {
    if branch == 0 {
      // The head comes first, in a piece of its own.
      guard head == nil, runs.isEmpty else { throw .invalidLength }
      head = try StateHead(from: &reader)
      return 1
    }
    guard let kind = StateRecords.kind(of: branch) else { return 0 }
    let (run, taken) = try kind.type.takeRun(branch, atMost: count, from: &reader)
    runs.append(run)
    return taken
  }
}

/// Consecutive entities of one kind.
protocol EntityRun: Sendable {
  func create(in state: inout BookState)
}

private struct Run<Stored: StoredEntity>: EntityRun {
  var entities: [Stored] = []

  func create(in state: inout BookState) {
    for entity in entities { state.create(entity) }
  }
}

extension StoredEntity {
  // Specialised for the most frequent kinds.
  @specialized(where Self == Account)
  @specialized(where Self == Habit)
  @specialized(where Self == TaskItem)
  @_lifetime(reader: copy reader)
  fileprivate static func takeRun(
    _ branch: Int64, atMost count: Int, from reader: inout BinaryReader
  ) throws(AvroError) -> (run: any EntityRun, taken: Int) {
    // Runs are short: the system would clear the pages of a large array each time.
    let count = min(count, 128)
    var run = Run<Self>()
    run.entities.reserveCapacity(count)
    while true {
      run.entities.append(try Self(from: &reader))
      guard run.entities[run.entities.count - 1].isWhole else { throw .invalidLength }
      if run.entities.count == count { break }
      let next = reader
      if try reader.takeLong() != branch {
        reader = next
        break
      }
    }
    return (run, run.entities.count)
  }
}
