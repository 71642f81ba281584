import CZstd
import Synchronization

/// Contexts of zstd that nobody uses just now.
///
/// A context costs some 70 µs to make on a virtual machine, because zstd asks the processor what it can do
/// and the host answers; that is more than reading a small segment. At most four are kept.
@safe private struct IdleContexts: ~Copyable, Sendable {
  // Safe to send: a context is one thread's at a time, from `take` to `give`.
  @safe private struct Context: @unchecked Sendable { let pointer: OpaquePointer }
  private let contexts = Mutex<[Context]>([])
  static let count = 4

  func take() -> OpaquePointer? { unsafe contexts.withLock { $0.popLast() }?.pointer }

  /// Whether the context was kept; if not, it is for the caller to free.
  func give(_ pointer: OpaquePointer) -> Bool {
    contexts.withLock { contexts in
      guard contexts.count < Self.count else { return false }
      unsafe contexts.append(Context(pointer: pointer))
      return true
    }
  }
}

/// Compresses blocks into zstd frames: one frame a block, content size present, checksum on, no
/// dictionary.
@safe public final class ZstandardCompressor {
  private let context: OpaquePointer
  private var buffer: [UInt8] = []
  private let level: Int
  private static let idle = IdleContexts()

  /// Makes a compressor of a level: −7…−1 faster than 1…19; 3 is zstd's own default.
  ///
  /// - Throws: ``AvroError/damagedBlock(_:)`` when memory is short.
  public init(level: Int = 3) throws(AvroError) {
    guard let context = unsafe Self.idle.take() ?? ZSTD_createCCtx() else {
      throw .damagedBlock("out of memory")
    }
    unsafe self.context = context
    self.level = level
    unsafe _ = ZSTD_CCtx_setParameter(context, ZSTD_c_compressionLevel, Int32(clamping: level))
    unsafe _ = ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1)
    unsafe _ = ZSTD_CCtx_setParameter(context, ZSTD_c_contentSizeFlag, 1)
  }

  deinit {
    // The tables of higher levels take megabytes: these are given back.
    if unsafe level > 3 || !Self.idle.give(context) { unsafe _ = ZSTD_freeCCtx(context) }
  }

  /// One frame that holds the bytes.
  ///
  /// - Throws: ``AvroError/damagedBlock(_:)`` when memory is short.
  public func compress(_ bytes: [UInt8]) throws(AvroError) -> [UInt8] {
    let bound = ZSTD_compressBound(bytes.count)
    if buffer.count < bound { buffer = [UInt8](repeating: 0, count: bound) }
    let written = unsafe buffer.withUnsafeMutableBytes { target in
      unsafe bytes.withUnsafeBytes { source in
        unsafe ZSTD_compress2(
          context, target.baseAddress, target.count, source.baseAddress, source.count)
      }
    }
    if ZSTD_isError(written) != 0 { throw .zstandard(written) }
    return Array(buffer[0..<written])
  }
}

/// Decompresses the zstd frames of blocks, reusing its memory.
@safe public final class ZstandardDecompressor {
  private let context: OpaquePointer
  private static let idle = IdleContexts()
  /// No block of a container is larger than this when decompressed: ``AvroLimit/byteCount``, 256 MiB.
  public static let maximumByteCount = AvroLimit.byteCount.maximum

  /// Makes a decompressor.
  ///
  /// - Throws: ``AvroError/damagedBlock(_:)`` when memory is short.
  public init() throws(AvroError) {
    guard let context = unsafe Self.idle.take() ?? ZSTD_createDCtx() else {
      throw .damagedBlock("out of memory")
    }
    unsafe self.context = context
    #if PLANTED_BUGS
      // "ZSTD_d_forceIgnoreChecksum" of the experimental interface.
      if PlantedBug.skipChecksum.isPlanted {
        unsafe _ = ZSTD_DCtx_setParameter(context, ZSTD_d_experimentalParam3, 1)
      }
    #endif
  }

  deinit {
    // A frame of an unknown size may have had a window of 128 MiB: that is given back.
    let isSmall = unsafe ZSTD_sizeof_DCtx(context) <= 1 << 20
    if unsafe !isSmall || !Self.idle.give(context) { unsafe _ = ZSTD_freeDCtx(context) }
  }

  /// Decompresses one frame into the front of the buffer, which grows as needed, and returns how many
  /// bytes it wrote.
  ///
  /// What a frame takes is bounded before it is taken: by the limit, by what a frame of its length can hold at
  /// most, and for a frame that does not say its size by what has come out of it so far.
  ///
  /// - Throws: ``AvroError/damagedBlock(_:)`` when the frame is damaged or its checksum is wrong,
  ///   ``AvroError/limitExceeded(_:)`` when it holds more than ``AvroLimit/byteCount``.
  public func decompress(_ frame: RawSpan, into buffer: inout [UInt8]) throws(AvroError) -> Int {
    let announced = unsafe frame.withUnsafeBytes { source in
      unsafe ZSTD_getFrameContentSize(source.baseAddress, source.count)
    }
    if announced == UInt64(bitPattern: -2) { throw .damagedBlock("this is no zstd frame") }
    if announced == UInt64(bitPattern: -1) { return try stream(frame, into: &buffer) }
    guard announced <= UInt64(Self.maximumByteCount) else { throw .limitExceeded(.byteCount) }
    // Four bytes of a frame make 128 KiB at most: a damaged size must not take memory that no frame fills.
    guard announced <= UInt64(frame.byteCount) << 15 else {
      throw .damagedBlock("the frame is too short for its size")
    }
    if buffer.count < Int(announced) {
      // Once more as large, for the next block; but never larger than a block can be.
      let larger = min(buffer.count * 2, Self.maximumByteCount)
      buffer = [UInt8](repeating: 0, count: max(Int(announced), larger, 4096))
    }
    let written = unsafe buffer.withUnsafeMutableBytes { target in
      unsafe frame.withUnsafeBytes { source in
        unsafe ZSTD_decompressDCtx(
          context, target.baseAddress, target.count, source.baseAddress, source.count)
      }
    }
    if ZSTD_isError(written) != 0 { throw .zstandard(written) }
    guard written == Int(announced) else { throw .damagedBlock("the frame is not of its size") }
    return written
  }

  /// How many bytes the frame has that begins with these bytes, by its own words; `nil` when no whole frame
  /// does.
  public static func frameByteCount(_ bytes: RawSpan) -> Int? {
    let byteCount = unsafe bytes.withUnsafeBytes { source in
      unsafe ZSTD_findFrameCompressedSize(source.baseAddress, source.count)
    }
    return ZSTD_isError(byteCount) == 0 ? byteCount : nil
  }

  /// Decompresses a frame that does not say its size, as other writers make them.
  private func stream(_ frame: RawSpan, into buffer: inout [UInt8]) throws(AvroError) -> Int {
    unsafe _ = ZSTD_DCtx_reset(context, ZSTD_reset_session_only)
    var written = 0
    var consumed = 0
    while true {
      if buffer.count - written < 1 << 16 {
        // One byte more than the limit, to tell a frame that just fits it from a larger one.
        let most = Self.maximumByteCount + 1 - buffer.count
        let more = min(max(buffer.count, 1 << 17), most)
        buffer.append(contentsOf: [UInt8](repeating: 0, count: max(more, 0)))
      }
      let before = (written, consumed)
      let status = unsafe buffer.withUnsafeMutableBytes { target in
        unsafe frame.withUnsafeBytes { source in
          var output = unsafe ZSTD_outBuffer(
            dst: target.baseAddress, size: target.count, pos: written)
          var input = unsafe ZSTD_inBuffer(
            src: source.baseAddress, size: source.count, pos: consumed)
          let status = unsafe ZSTD_decompressStream(context, &output, &input)
          unsafe written = output.pos
          unsafe consumed = input.pos
          return status
        }
      }
      if ZSTD_isError(status) != 0 { throw .zstandard(status) }
      guard written <= Self.maximumByteCount else { throw .limitExceeded(.byteCount) }
      if status == 0 {
        guard consumed == frame.byteCount else { throw .damagedBlock("more than one frame") }
        return written
      }
      if before == (written, consumed) { throw .damagedBlock("the frame has no end") }
    }
  }
}

extension AvroError {
  /// A code of libzstd's, in its own words.
  fileprivate static func zstandard(_ code: Int) -> AvroError {
    .damagedBlock(unsafe String(cString: ZSTD_getErrorName(code)))
  }
}
