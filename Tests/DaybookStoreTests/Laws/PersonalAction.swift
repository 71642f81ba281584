import Daybook
import PropertyTesting

/// A command about an account's identities, devices or contacts. There are few of these, so that several accounts use
/// the same one.
enum PersonalAction: Sendable {
  case link(Int, isVerified: Bool)
  case verify(Int)
  case unlink(Int)
  case register(Int, PushEnvironment)
  case unregister(Int)
  case upload([Int])
  case remove([Int]?)
  case name(Int, isHash: Bool, name: Int)
  case nameRow(Int, name: Int)
  case upgrade(Int)
  case birthday(ago: Int?)
  case notify(isOn: Bool?, times: Int?)
  case onboard(theme: Int?, start: Int?, habits: Int)
}

extension PersonalAction {
  static let actions = Generator<PersonalAction>.frequency(
    (4, Generator { .link(try $0.below(6), isVerified: try $0.happens(60)) }),
    (2, Generator { .verify(try $0.below(6)) }), (1, Generator { .unlink(try $0.below(6)) }),
    (3, Generator { .register(try $0.below(3), try $0.happens(30) ? .sandbox : .prod) }),
    (1, Generator { .unregister(try $0.below(3)) }), (3, Generator { .upload(try $0.phones()) }),
    (1, Generator { .remove(try $0.happens(20) ? nil : try $0.phones()) }),
    (
      2,
      Generator {
        .name(try $0.below(6), isHash: try $0.happens(40), name: try $0.below(3))
      }
    ),
    (2, Generator { .nameRow(try $0.below(4), name: try $0.below(6)) }),
    (1, Generator { .upgrade(try $0.below(3)) }),
    (1, Generator { .birthday(ago: try $0.happens(80) ? try $0.below(9000) - 2 : nil) }),
    (
      1,
      Generator {
        .notify(
          isOn: try $0.happens(70) ? try $0.happens(50) : nil, times: try $0.maybe(60, below: 3))
      }
    ),
    (
      1,
      Generator {
        .onboard(
          theme: try $0.maybe(50, below: 3), start: try $0.maybe(50, below: 8),
          habits: try $0.below(4))
      }
    ))

  /// The command.
  func command(today: Day) -> any Command {
    switch self {
    case .link(let identity, let isVerified):
      LinkIdentity(Menu.identity(identity), isVerified: isVerified)
    case .verify(let identity): VerifyIdentity(Menu.identity(identity))
    case .unlink(let identity): UnlinkIdentity(Menu.identity(identity))
    case .register(let device, let environment):
      RegisterDevice(token: "token-\(device)", environment: environment)
    case .unregister(let device): UnregisterDevice(token: "token-\(device)")
    case .upload(let phones): UploadContacts(phones.map { Menu.identity($0).hash })
    case .remove(let phones): RemoveContacts(phones?.map { Menu.identity($0).hash })
    case .name(let contact, let isHash, let name):
      SaveContact(
        isHash ? Menu.identity(contact).hash.description : "contact \(contact)",
        name: [nil, "Carol", "Dan"][name])
    case .nameRow(let row, let name):
      NameRow(
        Menu.key(14, row), of: row % 2 == 0 ? .habitLogs : .deviceTokens, name: Menu.key(15, name))
    case .upgrade(let price): RequestUpgrade(price: "\(price) a month")
    case .birthday(let ago):
      UpdateProfile { profile in profile.birthday = ago.map { today.advanced(by: -$0) } }
    case .notify(let isOn, let times):
      UpdateProfile {
        if let isOn { $0.notificationsAreOn = isOn }
        if let times { $0.notificationTimes = Menu.reminders[times] }
      }
    case .onboard(let theme, let start, let habits):
      CompleteOnboarding(habits: StarterTile.allCases.prefix(habits).map { .init($0) }) {
        if let theme { $0.theme = [.honey, .mint, .night][theme] }
        if let start { $0.dayStartHour = start }
      }
    }
  }
}

extension PropertyTesting.Source {
  fileprivate mutating func phones() throws -> [Int] {
    try draw(Generator<Int>.integer(in: 0...5).array(count: 0...4))
  }
}

extension Menu {
  /// An identity by a small number: the first four are phones.
  static func identity(_ number: Int) -> Identity {
    Identity(number < 4 ? .phone : .email, hash(number))
  }

  /// A hash of no known text.
  static func hash(_ number: Int) -> IdentityHash {
    IdentityHash(padding: [UInt8](repeating: UInt8(truncatingIfNeeded: number + 1), count: 32))
  }
}
