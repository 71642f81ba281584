/// A disk whose unreadable sectors are read as zeros.
///
/// A disk that fails fails by sectors. To look for what is whole is to read the rest, so a read that fails
/// is made again in small pieces, and those that fail again become zeros, which no check takes for entries.
struct ZeroFillingStorage: Storage {
  let base: any Storage

  init(_ base: any Storage) { self.base = base }

  /// The size of a page of a file; sectors are no larger.
  fileprivate static let pieceByteCount = 4096

  func open(_ path: String, _ access: FileAccess) throws(StorageError) -> any StorageFile {
    File(base: try base.open(path, access))
  }

  func createDirectory(_ path: String) throws(StorageError) { try base.createDirectory(path) }
  func names(in directory: String) throws(StorageError) -> [String]? {
    try base.names(in: directory)
  }
  func rename(_ path: String, to newPath: String) throws(StorageError) {
    try base.rename(path, to: newPath)
  }
  func link(_ path: String, to newPath: String) throws(StorageError) {
    try base.link(path, to: newPath)
  }
  func makeReadOnly(_ path: String) throws(StorageError) { try base.makeReadOnly(path) }
  func remove(_ path: String) throws(StorageError) { try base.remove(path) }
  func synchronizeDirectory(_ path: String) throws(StorageError) {
    try base.synchronizeDirectory(path)
  }
  func lock(_ path: String) throws(StorageError) -> LockAttempt { try base.lock(path) }

  private final class File: StorageFile {
    let base: any StorageFile

    init(base: any StorageFile) { self.base = base }

    func byteCount() throws(StorageError) -> Int { try base.byteCount() }

    func read(
      _ count: Int, at offset: Int, appendingTo buffer: inout [UInt8]
    ) throws(StorageError) {
      let held = buffer.count
      do throws(StorageError) {
        return try base.read(count, at: offset, appendingTo: &buffer)
      } catch {
        buffer.removeLast(buffer.count - held)
      }
      let end = min(offset + count, try base.byteCount())
      var place = offset
      while place < end {
        let piece =
          min(
            end,
            place - place % ZeroFillingStorage.pieceByteCount + ZeroFillingStorage.pieceByteCount)
          - place
        if (try? base.read(piece, at: place, appendingTo: &buffer)) == nil {
          buffer.removeLast(buffer.count - held - (place - offset))
          buffer += [UInt8](repeating: 0, count: piece)
        }
        place += piece
      }
    }

    func write(_ bytes: [UInt8], at offset: Int) throws(StorageError) {
      try base.write(bytes, at: offset)
    }
    func truncate(to byteCount: Int) throws(StorageError) { try base.truncate(to: byteCount) }
    func synchronize() throws(StorageError) { try base.synchronize() }
  }
}
