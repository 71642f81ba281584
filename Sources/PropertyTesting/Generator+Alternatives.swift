extension Generator where Value == Bool {
  /// `false`, which is the simplest, or `true` with the given probability.
  public static func bool(probability: Double = 0.5) -> Generator {
    Generator { source in
      let isOpen = probability > 0 && probability < 1
      guard isOpen else {
        try source.record(probability > 0 ? 1 : 0, bound: probability > 0 ? 1 : 0)
        return probability > 0
      }
      return try source.choose(upTo: 1) { random, _ in
        random.isHit(probability: probability) ? 1 : 0
      } == 1
    }
  }
}

extension Generator where Value: Sendable {
  /// One of the given elements, all equally likely; the first is the simplest.
  ///
  /// - Precondition: There is an element.
  public static func element(of elements: some Collection<Value>) -> Generator {
    let elements = Array(elements)
    precondition(!elements.isEmpty, "element(of:) needs an element")
    return Generator { source in
      elements[Int(try source.choose(upTo: UInt64(elements.count - 1)))]
    }
  }

  /// The given elements in any order; the given order is the simplest.
  public static func permutation<Element: Sendable>(
    of elements: [Element]
  ) -> Generator where Value == [Element] {
    Generator { source in
      var permuted = elements
      for index in permuted.indices.dropLast() {
        let rest = permuted.count - 1 - index
        let offset = Int(try source.choose(upTo: UInt64(rest)))
        permuted.insert(permuted.remove(at: index + offset), at: index)
      }
      return permuted
    }
  }
}

extension Generator where Value: CaseIterable & Sendable {
  /// One of all cases of the type; the first declared is the simplest.
  public static func anyCase() -> Generator {
    element(of: Array(Value.allCases))
  }
}

extension Generator {
  /// A value from one of the generators, all equally likely; the first is the simplest.
  ///
  /// - Precondition: There is a generator.
  public static func oneOf(_ generators: Generator...) -> Generator {
    oneOf(generators)
  }

  /// A value from one of the generators, all equally likely; the first is the simplest.
  ///
  /// - Precondition: There is a generator.
  public static func oneOf(_ generators: [Generator]) -> Generator {
    frequency(generators.map { (1, $0) })
  }

  /// A value from one of the generators, chosen by weight; the first is the simplest.
  ///
  /// - Precondition: No weight is negative and their sum is positive.
  public static func frequency(_ generators: (weight: Int, generator: Generator)...) -> Generator {
    frequency(generators)
  }

  /// A value from one of the generators, chosen by weight; the first is the simplest.
  ///
  /// A generator of weight zero is never chosen.
  ///
  /// - Precondition: No weight is negative and their sum is positive.
  public static func frequency(_ generators: [(weight: Int, generator: Generator)]) -> Generator {
    precondition(generators.allSatisfy { $0.weight >= 0 }, "a weight cannot be negative")
    let weighted = generators.filter { $0.weight > 0 }
    precondition(!weighted.isEmpty, "a choice between generators needs one to choose")
    let weights = weighted.map { UInt64($0.weight) }
    let choices = weighted.map(\.generator)
    let last = weights.reduce(0, +) - 1
    return Generator { source in
      let index = try source.choose(upTo: UInt64(choices.count - 1)) { random, _ in
        var rest = random.next(upTo: last)
        var index = 0
        while rest >= weights[index] {
          rest -= weights[index]
          index += 1
        }
        return UInt64(index)
      }
      return try source.draw(choices[Int(index)])
    }
  }

  /// Nested values, such as trees.
  ///
  /// - Parameters:
  ///   - leaf: Values without nested values; these are the simplest.
  ///   - depth: The largest number of nested levels.
  ///   - grow: Makes a generator of values that contain values of the given generator.
  /// - Returns: A generator of values nested up to `depth` levels deep.
  public static func recursive(
    leaf: Generator, depth: Int = 4, grow: (Generator) -> Generator
  ) -> Generator {
    // The innermost leaf records a choice, too, so that a value moved outwards during shrinking finds its
    // choices aligned.
    var generator = Generator { source in
      try source.record(0, bound: 0)
      return try source.draw(leaf)
    }
    for _ in 0..<depth {
      generator = oneOf(leaf, grow(generator))
    }
    return generator
  }
}
