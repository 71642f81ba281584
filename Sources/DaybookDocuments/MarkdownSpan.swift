/// A part of a line of Markdown.
indirect enum MarkdownSpan: Sendable {
  case text(String)
  case code(String)
  case strong([MarkdownSpan])
  case emphasis([MarkdownSpan])
  case link([MarkdownSpan], to: String)

  /// The parts of a line. A sign that is not closed is text.
  static func spans(of line: Substring) -> [MarkdownSpan] {
    var spans: [MarkdownSpan] = []
    var text = ""
    var rest = line
    while let next = rest.first {
      if let (span, after) = special(rest) {
        if !text.isEmpty { spans.append(.text(text)) }
        text = ""
        spans.append(span)
        rest = after
      } else if next == "\\", let sign = rest.dropFirst().first, sign.isASCII,
        sign.isPunctuation || sign.isSymbol
      {
        text.append(sign)
        rest = rest.dropFirst(2)
      } else {
        let plain = rest.dropFirst().prefix { !"`*[\\".contains($0) }
        text += String(next) + plain
        rest = rest[plain.endIndex...]
      }
    }
    if !text.isEmpty { spans.append(.text(text)) }
    return spans
  }

  /// The part that begins with a sign, and what is after it; `nil` when it is text.
  private static func special(_ rest: Substring) -> (MarkdownSpan, Substring)? {
    switch rest.first {
    case "`":
      let fence = rest.prefix { $0 == "`" }
      guard let end = rest[fence.endIndex...].firstRange(of: fence) else { return nil }
      return (.code(String(rest[fence.endIndex..<end.lowerBound])), rest[end.upperBound...])
    case "*" where rest.hasPrefix("**"):
      let inner = rest.dropFirst(2)
      guard let end = inner.firstRange(of: "**"), !end.lowerBound.isStart(of: inner) else {
        return nil
      }
      return (.strong(spans(of: inner[..<end.lowerBound])), inner[end.upperBound...])
    case "*":
      let inner = rest.dropFirst()
      guard let first = inner.first, !first.isWhitespace, let end = inner.firstIndex(of: "*"),
        !end.isStart(of: inner), !inner[inner.index(before: end)].isWhitespace
      else { return nil }
      return (.emphasis(spans(of: inner[..<end])), inner[inner.index(after: end)...])
    case "[":
      guard let middle = endOfWords(rest), let end = rest[middle...].firstIndex(of: ")") else {
        return nil
      }
      let words = rest.dropFirst()[..<middle]
      let address = rest[middle..<end].dropFirst(2)
      return (.link(spans(of: words), to: String(address)), rest[rest.index(after: end)...])
    default: return nil
    }
  }

  /// Where the words of a link end, which begins with `[`: before `](`. Brackets in code do not count.
  private static func endOfWords(_ link: Substring) -> Substring.Index? {
    var depth = 0
    var isCode = false
    for place in link.indices {
      switch link[place] {
      case "`": isCode.toggle()
      case "[" where !isCode: depth += 1
      case "]" where !isCode:
        depth -= 1
        if depth == 0 { return link[place...].hasPrefix("](") ? place : nil }
      default: break
      }
    }
    return nil
  }
}

extension [MarkdownSpan] {
  /// The words alone.
  var plain: String {
    map { span in
      switch span {
      case .text(let text), .code(let text): text
      case .strong(let spans), .emphasis(let spans), .link(let spans, _): spans.plain
      }
    }.joined()
  }
}

extension Substring.Index {
  fileprivate func isStart(of text: Substring) -> Bool { self == text.startIndex }
}
