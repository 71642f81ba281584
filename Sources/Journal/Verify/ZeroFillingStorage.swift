/// A storage that reads unreadable sectors as zeros.
///
/// Disks fail by sectors, and a search for intact data needs to read the rest. So a failed read is
/// repeated in small pieces, and those that fail again become zeros, which no check takes for
/// entries.
struct ZeroFillingStorage: StorageOverlay {
  let base: any Storage

  init(_ base: any Storage) { self.base = base }

  /// The size of a page of a file; sectors are no larger.
  fileprivate static let pieceByteCount = 4096

  func open(_ path: String, _ access: FileAccess) throws(StorageError) -> any StorageFile {
    File(base: try base.open(path, access))
  }

  private final class File: StorageFileOverlay {
    let base: any StorageFile

    init(base: any StorageFile) { self.base = base }

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
  }
}
