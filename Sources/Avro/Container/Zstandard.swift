import CZstd
import Synchronization

/// A pool of idle zstd contexts.
///
/// Making a context costs some 70 µs on a virtual machine, because zstd queries the processor's features and
/// the host answers; reading a small segment takes less. At most four are kept.
@safe private struct IdleContexts: ~Copyable, Sendable {
  // Safe to send: between `take` and `giveBack` only one thread has the context.
  @safe private struct Context: @unchecked Sendable { let pointer: OpaquePointer }
  private let contexts = Mutex<[Context]>([])
  static let count = 4

  func take() -> OpaquePointer? { unsafe contexts.withLock { $0.popLast() }?.pointer }

  /// Returns whether the context was kept; if not, the caller must free it.
  func giveBack(_ pointer: OpaquePointer) -> Bool {
    contexts.withLock { contexts in
      guard contexts.count < Self.count else { return false }
      unsafe contexts.append(Context(pointer: pointer))
      return true
    }
  }
}

/// Compresses blocks into zstd frames: one frame for each block, with content size and checksum, without a
/// dictionary.
@safe public final class ZstandardCompressor {
  private let context: OpaquePointer
  private var buffer: [UInt8] = []
  private let level: Int
  private static let idle = IdleContexts()

  /// Makes a compressor with a level: −7…−1 are faster than 1…19; 3 is zstd's default.
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
    // Higher levels use tables of megabytes, so those contexts are freed.
    if unsafe level > 3 || !Self.idle.giveBack(context) { unsafe _ = ZSTD_freeCCtx(context) }
  }

  /// Compresses bytes into one frame.
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

/// Decompresses the zstd frames of blocks, and reuses its memory.
@safe public final class ZstandardDecompressor {
  private let context: OpaquePointer
  private static let idle = IdleContexts()
  /// The largest size of a decompressed block: ``AvroLimit/byteCount``, 256 MiB.
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
      // This is `ZSTD_d_forceIgnoreChecksum` of the experimental interface.
      if PlantedBug.skipChecksum.isPlanted {
        unsafe _ = ZSTD_DCtx_setParameter(context, ZSTD_d_experimentalParam3, 1)
      }
    #endif
  }

  deinit {
    // A frame of unknown size may have used a window of 128 MiB; such a context is freed.
    let isSmall = unsafe ZSTD_sizeof_DCtx(context) <= 1 << 20
    if unsafe !isSmall || !Self.idle.giveBack(context) { unsafe _ = ZSTD_freeDCtx(context) }
  }

  /// Decompresses one frame into the front of the buffer, which grows as needed, and returns the number of
  /// bytes written.
  ///
  /// Memory is bounded before it is allocated: by the limit, by the most that a frame of this length can
  /// hold, and, for a frame without a content size, by what it has produced so far.
  ///
  /// - Throws: ``AvroError/damagedBlock(_:)`` when the frame is damaged or its checksum is wrong,
  ///   ``AvroError/limitExceeded(_:)`` when it holds more than ``AvroLimit/byteCount``.
  public func decompress(_ frame: RawSpan, into buffer: inout [UInt8]) throws(AvroError) -> Int {
    let announced = unsafe frame.withUnsafeBytes { source in
      unsafe ZSTD_getFrameContentSize(source.baseAddress, source.count)
    }
    if announced == UInt64(bitPattern: -2) { throw .damagedBlock("this is not a zstd frame") }
    if announced == UInt64(bitPattern: -1) { return try stream(frame, into: &buffer) }
    guard announced <= UInt64(Self.maximumByteCount) else { throw .limitExceeded(.byteCount) }
    // Four bytes of a frame yield at most 128 KiB, so a damaged size must not allocate memory that no frame
    // can fill.
    guard announced <= UInt64(frame.byteCount) << 15 else {
      throw .damagedBlock("the frame is too short for its size")
    }
    if buffer.count < Int(announced) {
      // Doubles the buffer for the next block, but never beyond the largest block.
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
    guard written == Int(announced) else { throw .damagedBlock("the frame has the wrong size") }
    return written
  }

  /// The length of the frame at the front of these bytes, by its own header; `nil` when there is no whole
  /// frame.
  public static func frameByteCount(_ bytes: RawSpan) -> Int? {
    let byteCount = unsafe bytes.withUnsafeBytes { source in
      unsafe ZSTD_findFrameCompressedSize(source.baseAddress, source.count)
    }
    return ZSTD_isError(byteCount) == 0 ? byteCount : nil
  }

  /// Decompresses a frame without a content size, as other writers produce.
  private func stream(_ frame: RawSpan, into buffer: inout [UInt8]) throws(AvroError) -> Int {
    unsafe _ = ZSTD_DCtx_reset(context, ZSTD_reset_session_only)
    var written = 0
    var consumed = 0
    while true {
      if buffer.count - written < 1 << 16 {
        // One byte more than the limit distinguishes a frame that just fits from a larger one.
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
  /// Makes an error from a libzstd code, with libzstd's own description.
  fileprivate static func zstandard(_ code: Int) -> AvroError {
    .damagedBlock(unsafe String(cString: ZSTD_getErrorName(code)))
  }
}
