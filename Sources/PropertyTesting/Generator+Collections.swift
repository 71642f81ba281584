extension Generator {
  /// Lists of values from this generator; shorter ones are simpler.
  public func array(count: ClosedRange<Int>) -> Generator<[Value]> {
    Generator<[Value]> { source in
      var elements: [Value] = []
      var turns = source.repetition(count)
      while try source.more(&turns) {
        elements.append(try source.draw(self))
      }
      return elements
    }
  }
}

extension Generator where Value: Hashable & Sendable {
  /// Lists without repeated values, in the order drawn.
  ///
  /// A case is discarded when the generator does not produce enough different values.
  public func distinct(count: ClosedRange<Int>) -> Generator<[Value]> {
    Generator<[Value]> { source in
      var elements: [Value] = []
      var known: Set<Value> = []
      var turns = source.repetition(count)
      while try source.more(&turns) {
        let isEnumerating = source.mode == .enumerating
        var fresh = try source.attempt(tries: 50) { source -> Value? in
          let value = try source.draw(self)
          return known.contains(value) ? nil : value
        }
        if fresh == nil, source.mode == .random {
          // The record keeps a repeated value, so that a replay also draws it.
          let value = try source.draw(self)
          fresh = known.contains(value) ? nil : value
        }
        if let fresh {
          known.insert(fresh)
          elements.append(fresh)
        } else if isEnumerating {
          throw Discard("a value occurred twice")
        }
      }
      guard elements.count >= count.lowerBound else {
        throw Discard("fewer than \(count.lowerBound) different values")
      }
      return elements
    }
  }

  /// Sets of values from this generator; smaller ones are simpler.
  ///
  /// The order of a `Set` differs between processes; if the order matters to the property, use
  /// ``distinct(count:)``.
  public func set(count: ClosedRange<Int>) -> Generator<Set<Value>> {
    distinct(count: count).map { Set($0) }
  }

  /// Dictionaries with keys from this generator; smaller ones are simpler.
  public func dictionary<Other>(
    to values: Generator<Other>, count: ClosedRange<Int>
  ) -> Generator<[Value: Other]> {
    let keys = distinct(count: count)
    return Generator<[Value: Other]> { source in
      var dictionary: [Value: Other] = [:]
      for key in try source.draw(keys) {
        dictionary[key] = try source.draw(values)
      }
      return dictionary
    }
  }
}

extension Generator where Value: Sendable {
  /// Some of the given elements, in order; fewer are simpler.
  public static func subsequence<Element: Sendable>(
    of elements: [Element]
  ) -> Generator where Value == [Element] {
    Generator { source in
      try elements.filter { _ in try source.choose(upTo: 1) == 1 }
    }
  }
}
