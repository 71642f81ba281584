import Avro
import HTTPTypes
import Wire

/// A screen as it was then beside the same screen as it is now, with what differs marked, and a list of the differences.
struct Beside {
  private let visit: Visit
  private let pages: PageTemplates
  private let then: Side
  private let now: Side
  private let differences: Differences

  /// What the screen shows at one moment; `nil` when what it shows did not exist then, or does not any more.
  private struct Side {
    let visit: Visit
    var content: Content?
  }

  /// Asks for both.
  ///
  /// - Throws: ``PageRefusal``, also when there is nothing to show at either moment.
  init(_ screen: any Screen, _ visit: Visit, _ pages: PageTemplates) async throws {
    self.visit = visit
    self.pages = pages
    var then = try await Self.side(screen, visit.visit(asOf: visit.asOfText))
    var now = try await Self.side(screen, visit.visit(asOf: nil))
    guard let timeline = (now.content ?? then.content)?.timeline else {
      throw PageRefusal.notFound
    }
    if var old = then.content, var new = now.content {
      FieldComparison.mark(&old.fields, &new.fields)
      (then.content, now.content) = (old, new)
    }
    (self.then, self.now) = (then, now)
    differences = try await Differences(visit, timeline)
  }

  private static func side(_ screen: any Screen, _ visit: Visit) async throws -> Side {
    do {
      return Side(visit: visit, content: try await screen.content(visit))
    } catch let refusal as PageRefusal where refusal.status == .notFound {
      return Side(visit: visit, content: nil)
    }
  }

  /// The screen with both.
  var content: Content {
    let known = now.content ?? then.content
    return Content(
      "beside", known?.title ?? "",
      [
        "sides": [
          side(then, "then", visit.say("beside.then", ["moment": visit.momentSaid ?? ""])),
          side(now, "now", visit.say("beside.now")),
        ],
        "differences": differences.lines, "any_differences": !differences.lines.isEmpty,
        "more": differences.more,
      ], known?.timeline ?? Timeline())
  }

  private func side(_ side: Side, _ name: String, _ said: String) -> Fields {
    [
      "side": name, "said": said,
      "part": side.content.map { Self.apart(pages.part($0, for: side.visit), name) } ?? Nothing()
        as Any,
      "none": side.content == nil,
    ]
  }

  /// A part whose ids are not those of the other part. What people wrote cannot be mistaken for an attribute: its
  /// quotation marks are escaped. Nor has it landmarks, of which there would be two of a name. Its headings are below the side's own.
  private static func apart(_ html: String, _ name: String) -> String {
    var html = html
    for attribute in ["id", "for", "aria-labelledby", "aria-describedby"] {
      html.replace(" \(attribute)=\"", with: " \(attribute)=\"\(name)-")
    }
    for landmark in ["section", "nav"] {
      html.replace("<\(landmark)", with: "<div role=\"group\"")
      html.replace("</\(landmark)>", with: "</div>")
    }
    html.replace("<h1", with: "<p data-title")
    html.replace("</h1>", with: "</p>")
    for level in [4, 3, 2] {
      html.replace("<h\(level)", with: "<h\(level + 1)")
      html.replace("</h\(level)>", with: "</h\(level + 1)>")
    }
    return html
  }
}

/// Compares what two screens show, and marks what differs.
enum FieldComparison {
  /// What leads elsewhere, and is not the same although it says the same.
  private static let leftOut: Set = [
    "id", "new_id", "differs", "token", "comb", "recent", "day", "overdue", "updated_at",
  ]

  /// Marks the elements of lists, found by their `id`, that differ or that only one of the two has: `differs`.
  static func mark(_ old: inout Fields, _ new: inout Fields) {
    for name in Set(old.keys).union(new.keys) {
      if var former = old[name] as? [Fields], var later = new[name] as? [Fields] {
        mark(&former, &later)
        (old[name], new[name]) = (former, later)
      }
    }
  }

  private static func mark(_ old: inout [Fields], _ new: inout [Fields]) {
    var places: [String: Int] = [:]
    for (place, fields) in new.enumerated() {
      if let id = identity(fields) { places[id] = place }
      new[place]["differs"] = identity(fields) != nil
    }
    for place in old.indices {
      guard let id = identity(old[place]) else { continue }
      guard let other = places[id] else {
        old[place]["differs"] = true
        continue
      }
      mark(&old[place], &new[other])
      let differs = !isSame(old[place], new[other])
      (old[place]["differs"], new[other]["differs"]) = (differs, differs)
    }
  }

  private static func identity(_ fields: Fields) -> String? {
    (fields["id"] ?? fields["key"]) as? String
  }

  /// Whether two say the same. Links lead to different moments, so they are left out.
  private static func isSame(_ left: Any?, _ right: Any?) -> Bool {
    switch (left, right) {
    case (let left as Fields, let right as Fields):
      Set(left.keys).union(right.keys).allSatisfy { name in
        leftOut.contains(name) || name.contains("link") || isSame(left[name], right[name])
      }
    case (let left as [Any], let right as [Any]):
      left.count == right.count && zip(left, right).allSatisfy { isSame($0, $1) }
    case (let left as String, let right as String): left == right
    case (let left as Bool, let right as Bool): left == right
    case (is Nothing, is Nothing), (is Nothing, nil), (nil, is Nothing), (nil, nil): true
    default: false
    }
  }
}
