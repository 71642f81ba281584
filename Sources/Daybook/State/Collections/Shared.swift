/// A large value that copies have in common until one of them is changed: to copy it is to hold one reference more,
/// whatever it is made of.
struct Shared<Value: Sendable>: Sendable {
  /// Where the value is. It is changed by the only one who holds it, so threads may share it.
  private final class Place: @unchecked Sendable {
    // What holds a place is a value itself: nobody can read it while it is changed.
    @exclusivity(unchecked) var value: Value

    init(_ value: Value) { self.value = value }
  }

  private var place: Place

  init(_ value: Value) { place = Place(value) }

  var value: Value {
    _read { yield place.value }
    _modify {
      if !isKnownUniquelyReferenced(&place) { place = Place(place.value) }
      yield &place.value
    }
  }
}
