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
    "tasks": PackageResources.tasks_mustache, "hives": PackageResources.hives_mustache,
    "hive": PackageResources.hive_mustache, "feed": PackageResources.feed_mustache,
    "join": PackageResources.join_mustache,
    "insights": PackageResources.insights_mustache,
    "slider": PackageResources.slider_mustache, "beside": PackageResources.beside_mustache,
    "put_back": PackageResources.put_back_mustache, "rule": PackageResources.rule_mustache,
    "settings": PackageResources.settings_mustache,
    "import": PackageResources.import_mustache, "erase": PackageResources.erase_mustache,
    "notice": PackageResources.notice_mustache, "legal": PackageResources.legal_mustache,
    // The household's rooms, and the parts that they share.
    "act": PackageResources.act_mustache, "rooms": PackageResources.rooms_mustache,
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
    "send": PackageResources.send_mustache,
  ]

  /// The files that browsers fetch: their names, types and bytes.
  private static let files: [String: (type: String, bytes: [UInt8])] = [
    "page.css": ("text/css; charset=utf-8", PackageResources.page_css),
    "page.js": ("text/javascript; charset=utf-8", PackageResources.page_js),
    "zone.js": ("text/javascript; charset=utf-8", PackageResources.zone_js),
    "page.js": script(PackageResources.page_js),
    "slider.js": script(PackageResources.slider_js),
    "icon.svg": ("image/svg+xml", PackageResources.icon_svg),
  ]

  /// The modules that scripts import, by their names; none of them imports another.
  private static let modules: [String: [UInt8]] = ["slider.js": PackageResources.slider_js]

  /// A script, which names the versions of what it imports: browsers may keep those, too.
  private static func script(_ bytes: [UInt8]) -> (type: String, bytes: [UInt8]) {
    var text = String(decoding: bytes, as: UTF8.self)
    for (name, bytes) in modules {
      text.replace("from \"./\(name)\"", with: "from \"/page/\(name)?v=\(version(of: bytes))\"")
    }
    return ("text/javascript; charset=utf-8", Array(text.utf8))
  }

  private static func version(of bytes: [UInt8]) -> String {
    String(Key(derivedFrom: [String(decoding: bytes, as: UTF8.self)]).description.prefix(8))
  }

  private static let versions = files.mapValues { version(of: $0.bytes) }

  /// The address of a file. It changes with the file, so browsers may keep what they have.
  static func address(of name: String) -> String { "/page/\(name)?v=\(versions[name] ?? "")" }

  /// Answers with a file.
  ///
  /// - Throws: ``PageRefusal/notFound``.
  static func answer(_ name: String, _ request: WireRequest) throws -> WireResponse {
    guard let file = files[name] else { throw PageRefusal.notFound }
    guard request.method == .get || request.method == .head else { throw PageRefusal.wrongMethod }
    let isThisVersion = request.query["v"] == versions[name]
    return WireResponse(
      .ok,
      headers: [
        .contentType: file.type,
        .cacheControl: isThisVersion ? "public, max-age=31536000, immutable" : "no-cache",
      ], body: file.bytes)
  }
}
