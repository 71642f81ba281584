/// A large value that copies share until one of them changes it: a copy costs one reference, whatever the value is made
/// of.
struct CopyOnWrite<Value: Sendable>: Sendable {
  /// The storage of the value. Only its sole holder changes it, so threads may share it.
  private final class Place: @unchecked Sendable {
    // The holder of a place is a value itself: nobody can read it while it is changed.
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
