import Values
import Calendar
import Streaks

/// The habits that the onboarding offers; a person may begin with two (HH-5).
public enum StarterTile: String, CaseIterable, Sendable {
  case drinkWater = "drink_water"
  case walk
  case read
  case meditate
  case stretch
  case journal
  case sleepEarly = "sleep_early"
  case eatGreens = "eat_greens"

  /// The name of the habit.
  public var name: String { look.name }
  /// A picture for it.
  public var emoji: String { look.emoji }
  /// Its colour.
  public var color: String { look.color }
  /// The times per day: a habit done once is checked, one done more often is counted.
  public var timesPerDay: Int { self == .drinkWater ? 8 : 1 }
  /// The unit of what is counted.
  public var unit: String { self == .drinkWater ? "glasses" : "" }

  private var look: (name: String, emoji: String, color: String) {
    switch self {
    case .drinkWater: ("Drink Water", "💧", "#5AC8FA")
    case .walk: ("Walk", "🚶", "#34C759")
    case .read: ("Read", "📖", "#FF9F1C")
    case .meditate: ("Meditate", "🧘", "#AF52DE")
    case .stretch: ("Stretch", "🤸", "#FFD166")
    case .journal: ("Journal", "📓", "#A2845E")
    case .sleepEarly: ("Sleep Early", "🌙", "#5856D6")
    case .eatGreens: ("Eat Greens", "🥗", "#6CC644")
    }
  }

  /// The command that creates the habit, under the tile's name or another one.
  func command(key: Key, name: String? = nil) -> CreateHabit {
    CreateHabit(
      key: key, name: name ?? self.name, emoji: emoji, color: color, unit: unit,
      type: timesPerDay == 1 ? .checkbox : .counter,
      target: Target(Amount(thousandths: Int64(timesPerDay) * 1000) ?? .one))
  }
}
