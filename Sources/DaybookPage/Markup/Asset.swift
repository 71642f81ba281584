import Daybook
import HTTPTypes
import Values
import Wire

/// The files of the page, which are in the program.
enum Asset {
  /// The templates by name.
  static let templates: [String: [UInt8]] = [
    "frame": PackageResources.frame_mustache, "enter": PackageResources.enter_mustache,
    "enter_code": PackageResources.enter_code_mustache,
    "enter_link": PackageResources.enter_link_mustache,
    "refused": PackageResources.refused_mustache, "today": PackageResources.today_mustache,
    "habit": PackageResources.habit_mustache, "card": PackageResources.card_mustache,
    "tasks": PackageResources.tasks_mustache, "task": PackageResources.task_mustache,
    "labels": PackageResources.labels_mustache, "act": PackageResources.act_mustache,
    "hives": PackageResources.hives_mustache,
    "hive": PackageResources.hive_mustache, "feed": PackageResources.feed_mustache,
    "join": PackageResources.join_mustache,
    "insights": PackageResources.insights_mustache,
    "slider": PackageResources.slider_mustache, "beside": PackageResources.beside_mustache,
    "put_back": PackageResources.put_back_mustache,
    "back_link": PackageResources.back_link_mustache, "rule": PackageResources.rule_mustache,
    "settings": PackageResources.settings_mustache,
    "offline": PackageResources.offline_mustache, "find": PackageResources.find_mustache,
    "import": PackageResources.import_mustache, "erase": PackageResources.erase_mustache,
    "notice": PackageResources.notice_mustache, "legal": PackageResources.legal_mustache,
    "document": PackageResources.document_mustache,
    // The household's rooms, and the parts that they share.
    "rooms": PackageResources.rooms_mustache,
    "household": PackageResources.household_mustache,
    "household_none": PackageResources.household_none_mustache,
    "chore": PackageResources.chore_mustache, "chores": PackageResources.chores_mustache,
    "ingredients": PackageResources.ingredients_mustache, "plan": PackageResources.plan_mustache,
    "recipes": PackageResources.recipes_mustache, "recipe": PackageResources.recipe_mustache,
    "recipe_form": PackageResources.recipe_form_mustache, "cook": PackageResources.cook_mustache,
    "groceries": PackageResources.groceries_mustache,
    "pantry": PackageResources.pantry_mustache, "calendar": PackageResources.calendar_mustache,
    "event_form": PackageResources.event_form_mustache,
    "imported": PackageResources.imported_mustache,
    "habits": PackageResources.habits_mustache, "habit_form": PackageResources.habit_form_mustache,
    "habit_line": PackageResources.habit_line_mustache,
    "habit_head": PackageResources.habit_head_mustache,
    "habit_acts": PackageResources.habit_acts_mustache, "pauses": PackageResources.pauses_mustache,
    "face": PackageResources.face_mustache, "goals": PackageResources.goals_mustache,
    "goal": PackageResources.goal_mustache, "welcome": PackageResources.welcome_mustache,
    "welcome_step": PackageResources.welcome_step_mustache,
    "welcome_fields": PackageResources.welcome_fields_mustache,
    "send": PackageResources.send_mustache, "send_back": PackageResources.send_back_mustache,
  ]

  /// The scripts: modules that import each other by their names.
  private static let scripts: [String: [UInt8]] = [
    "page.js": PackageResources.page_js, "screen.js": PackageResources.screen_js,
    "morph.js": PackageResources.morph_js, "forms.js": PackageResources.forms_js,
    "slider.js": PackageResources.slider_js, "pour.js": PackageResources.pour_js,
    "live.js": PackageResources.live_js, "offline.js": PackageResources.offline_js,
    "queue.js": PackageResources.queue_js, "waiting.js": PackageResources.waiting_js,
    "moving.js": PackageResources.moving_js, "palette.js": PackageResources.palette_js,
    "feel.js": PackageResources.feel_js, "wall.js": PackageResources.wall_js,
    "zone.js": PackageResources.zone_js, "drop.js": PackageResources.drop_js,
  ]

  /// The names of the scripts.
  static let scriptNames = scripts.keys.sorted()

  /// The files that browsers fetch: their names, types and bytes.
  private static let files: [String: (type: String, bytes: [UInt8])] = {
    var files = scripts.mapValues { (type: "text/javascript; charset=utf-8", bytes: $0) }
    files["page.css"] = ("text/css; charset=utf-8", PackageResources.page_css)
    files["icon.svg"] = ("image/svg+xml", PackageResources.icon_svg)
    return files
  }()

  /// The version of all files together. It is a part of their path, so a script names the others of its version.
  static let version: String = {
    let contents = files.keys.sorted().compactMap { name in
      files[name].map { name + String(decoding: $0.bytes, as: UTF8.self) }
    }
    let worker = String(decoding: PackageResources.sw_js, as: UTF8.self)
    return String(Key(derivedFrom: contents + [worker]).description.prefix(8))
  }()

  /// The address of a file. It changes with the files, so browsers may keep what they have.
  static func address(of name: String) -> String { "/page/\(version)/\(name)" }

  /// Answers with a file: `page/VERSION/NAME`, or `page/NAME` for whichever version there is.
  ///
  /// - Throws: ``PageRefusal/notFound``.
  static func answer(_ request: WireRequest) throws -> WireResponse {
    guard let name = request.path.last, (2...3).contains(request.path.count),
      let file = files[name]
    else { throw PageRefusal.notFound }
    guard request.method == .get || request.method == .head else { throw PageRefusal.wrongMethod }
    return WireResponse(
      .ok,
      headers: [
        .contentType: file.type,
        .cacheControl: request.path.dropLast().last == version
          ? "public, max-age=31536000, immutable" : "no-cache",
      ], body: file.bytes)
  }

  /// The script that keeps what was seen for when there is no connection. It is at the root, because it may only see what is
  /// below its path, and it names the files of its version: it changes with them, and browsers then replace it.
  static let worker: [UInt8] = {
    let addresses = files.keys.sorted().map { "\"\(address(of: $0))\"" }
    let head =
      "const version = \"\(version)\", files = [\(addresses.joined(separator: ", "))];\n"
    return Array(head.utf8) + PackageResources.sw_js
  }()
}
