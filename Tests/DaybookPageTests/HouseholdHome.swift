import Avro
import Daybook
@testable import DaybookPage
import DaybookStore
import Foundation
import Testing
import Values
import Wire

/// Ada's household on Sunday, 1 March 2026: two recipes, two meals of the week from 2 March, its list.
struct HouseholdHome {
  static let (nest, pancakes, soup) = (key(1), key(2), key(3))
  static let (tuesday, wednesday) = (key(4), key(5))
  let world: PageWorld
  let browser: Browser
  let ada: Key

  init() async throws {
    world = try await PageWorld()
    browser = try await world.browser(of: "ada@example.com")
    ada = try browser.account()
    for line in [
      #"{"do":"update_profile","display_name":"Ada","timezone":"Europe/Berlin"}"#,
      #"{"do":"create_household","key":"\#(Self.nest)","name":"Nest"}"#,
      #"{"do":"create_recipe","key":"\#(Self.pancakes)","title":"Pancakes","base_servings":4,"ingredients":["½ l milk","3 eggs","salt","1 tin (400 g) cherries"],"steps":["Whisk.","Rest.","Fry."],"tags":["sweet"],"cook_time":25,"source_url":"https://example.com/pancakes"}"#,
      #"{"do":"create_recipe","key":"\#(Self.soup)","title":"Leek soup","base_servings":2,"ingredients":["1 l milk","3 leeks"]}"#,
      #"{"do":"plan_meal","key":"\#(Self.tuesday)","recipe":"\#(Self.pancakes)","date":"2026-03-03","meal_type":"dinner","servings":8}"#,
      #"{"do":"plan_meal","key":"\#(Self.wednesday)","recipe":"\#(Self.soup)","date":"2026-03-04"}"#,
      #"{"do":"add_pantry_staple","name":"salt"}"#,
      #"{"do":"generate_grocery_list","week_start":"2026-03-02"}"#,
    ] {
      try world.record(line, as: ada)
    }
  }

  func record(_ line: String) throws { try world.record(line, as: ada) }

  /// The content of a screen: the slider above it tells of other things, too.
  func text(_ target: String) async -> String { await browser.get(target).content }

  /// The key of a line of the last grocery list.
  func line(_ name: String) throws -> Key {
    let list = try #require(world.book.read { $0.lists.elements.last })
    return try #require(list.items.first { $0.content.name == name }?.key)
  }

  private static func key(_ number: Int) -> String {
    "00000000-0000-4000-8000-00000000000\(number)"
  }
}

extension WireResponse {
  /// The part of a screen below the navigation and the slider.
  var content: String { String(text[(text.range(of: "<main")?.lowerBound ?? text.startIndex)...]) }
}

extension String {
  /// The texts between two others, in their order.
  func pieces(from start: String, to end: String) -> [String] {
    components(separatedBy: start).dropFirst().map {
      String($0.prefix(upTo: $0.range(of: end)?.lowerBound ?? $0.endIndex))
    }
  }
}
