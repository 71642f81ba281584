import ArgumentParser

/// Options shared by many commands: groups of options, laid out as if the type declared each option itself.
///
/// An `@OptionGroup` inside an `@OptionGroup` would have the same effect. But a debug build of the parser
/// checks a group four times for each check of the group around it, so two levels cost sixteen times as much
/// as none.
protocol JoinedOptions: ParsableArguments, CustomReflectable {
  /// The parts, in the order of the help screen.
  static var parts: [OptionPart<Self>] { get }
}

extension JoinedOptions {
  init(from decoder: any Decoder) throws {
    self.init()
    // The parser checks here that each option has a key.
    let container = try decoder.container(keyedBy: OptionKey.self)
    for part in Self.parts { try part.decode(&self, decoder, container) }
  }

  mutating func validate() throws {
    for part in Self.parts { try part.validate(&self) }
  }

  /// The parser finds the options of a type by reflection.
  var customMirror: Mirror {
    Mirror(self, children: Self.parts.flatMap { $0.children(self) })
  }
}

/// The name of an option's property.
struct OptionKey: CodingKey {
  let stringValue: String
  var intValue: Int? { nil }
  init(stringValue: String) { self.stringValue = stringValue }
  init?(intValue: Int) { nil }
}

/// One part of joined options: a group, or an option of the type itself.
struct OptionPart<Root> {
  let children: (Root) -> [Mirror.Child]
  let decode: (inout Root, any Decoder, KeyedDecodingContainer<OptionKey>) throws -> Void
  let validate: (inout Root) throws -> Void

  /// A part that is a group.
  init<Group: ParsableArguments>(_ group: WritableKeyPath<Root, Group>) {
    children = { Array(Mirror(reflecting: $0[keyPath: group]).children) }
    decode = { root, decoder, _ in root[keyPath: group] = try Group(from: decoder) }
    validate = { try $0[keyPath: group].validate() }
  }

  /// A part that is an option of the type itself: the name of its property, and its wrapper.
  init<Option: Decodable>(_ name: String, _ option: WritableKeyPath<Root, Option>) {
    children = { [(label: "_\(name)", value: $0[keyPath: option])] }
    decode = { root, _, container in
      root[keyPath: option] = try container.decode(
        Option.self, forKey: OptionKey(stringValue: name))
    }
    validate = { _ in }
  }
}
