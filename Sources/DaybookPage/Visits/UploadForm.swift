import DaybookAuth
import HTTPTypes
import Wire

/// A form with a file, as browsers send it: `multipart/form-data` (RFC 7578).
struct UploadForm: Sendable {
  struct File: Sendable {
    let name: String
    let bytes: [UInt8]
  }

  private(set) var fields = WireQuery()
  /// The first file; `nil` when none was chosen.
  private(set) var file: File?

  /// The most parts of a form. The page's own has four.
  private static let mostParts = 16

  /// Reads the form of a person who is signed in.
  ///
  /// - Throws: ``PageRefusal`` for a form that is cut off, of another kind, or of a session that has ended.
  init(_ request: WireRequest, of guest: Guest) throws {
    guard let type = request.headers[.contentType],
      let boundary = Self.boundary(in: type)
    else { throw PageRefusal.badForm }
    try read(request.body[...], Array("--\(boundary)".utf8))
    guard let token = fields["token"], Secret.areEqual(token, guest.formToken) else {
      throw PageRefusal.staleForm
    }
  }

  private static func boundary(in type: String) -> String? {
    guard type.lowercased().hasPrefix("multipart/form-data"),
      let start = type.firstRange(of: "boundary=")
    else { return nil }
    let text = type[start.upperBound...].prefix { $0 != ";" && $0 != " " }.filter { $0 != "\"" }
    return (1...70).contains(text.utf8.count) ? text : nil
  }

  private mutating func read(_ body: ArraySlice<UInt8>, _ boundary: [UInt8]) throws {
    guard body.starts(with: boundary) else { throw PageRefusal.badForm }
    var rest = body.dropFirst(boundary.count)
    let (lineEnd, gap) = (Array("\r\n".utf8), Array("\r\n\r\n".utf8))
    for _ in 0..<Self.mostParts {
      if rest.starts(with: Array("--".utf8)) { return }
      guard rest.starts(with: lineEnd), let head = rest.firstRange(of: gap),
        let end = rest[head.upperBound...].firstRange(of: lineEnd + boundary)
      else { throw PageRefusal.badForm }
      add(
        String(decoding: rest[rest.startIndex..<head.lowerBound], as: UTF8.self),
        rest[head.upperBound..<end.lowerBound])
      rest = rest[end.upperBound...]
    }
    throw PageRefusal.badForm
  }

  private mutating func add(_ head: String, _ bytes: ArraySlice<UInt8>) {
    guard let name = Self.parameter("name", of: head) else { return }
    guard let fileName = Self.parameter("filename", of: head) else {
      fields.items.append(.init(name, String(decoding: bytes, as: UTF8.self)))
      return
    }
    guard file == nil, !(fileName.isEmpty && bytes.isEmpty) else { return }
    // Some browsers send a path; only its last part is the file's name.
    let last = fileName.split(whereSeparator: { $0 == "/" || $0 == "\\" }).last
    file = File(name: String(last ?? ""), bytes: Array(bytes))
  }

  /// A parameter of `Content-Disposition`. Browsers write a quotation mark in it as `%22` (WHATWG HTML, form submission).
  private static func parameter(_ name: String, of head: String) -> String? {
    for line in head.split(separator: "\r\n")
    where line.lowercased().hasPrefix("content-disposition:") {
      guard let start = line.firstRange(of: " \(name)=\"") else { continue }
      return String(line[start.upperBound...].prefix { $0 != "\"" }).replacing("%22", with: "\"")
    }
    return nil
  }
}
