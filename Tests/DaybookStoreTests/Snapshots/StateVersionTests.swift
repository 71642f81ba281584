import Avro
import Daybook
import Foundation
import Journal
import Testing

@testable import DaybookStore

/// `BookState.version` separates snapshots of one meaning of `apply` from those of another. A snapshot made by an older
/// `apply` would be silently wrong for a newer one, so each change of `apply` must raise the version.
///
/// `Fixtures/lived-1` is a book of random commands, with every type of event, that was written once;
/// `Fixtures/golden-1` is another. The state after each of their entries must have the digest noted here.
@Suite(.tags(.unit)) struct StateVersionTests {
  /// The result of each version of `apply` on the books. When this fails, `apply` has another meaning, or states are
  /// written differently: raise `BookState.version`, and add a line here. Lines are never changed.
  static let digests: [Int32: [String: String]] = [
    1: [
      "golden-1": "4938b1cdf8be5f83b77232c9424be3ea65140d5640c87ae7c329180c6970a498",
      "lived-1": "c2484afe6b427dfdc61f8ac635a841f5e79a51417edd1698004d4e7ca0dcaa24",
    ],
    2: [
      "golden-1": "6e96f729769d8575af9d1a4319b8665f4ed6ab2ccf293898e290064f113d956c",
      "lived-1": "09e8b2877893028d8d1050b0b22b22c241c44ac80350060edae8caff92b173e1",
    ],
    3: [
      "golden-1": "615b0702907826497cb470eaef90ff3ff1010297ee0ae8578b6f3c9aa1d4c75d",
      "lived-1": "ef6d599cdfff6fd5f4eef831d10dc4cabaaaa72b48ba1813a6205b239ee872b2",
    ],
    4: [
      "golden-1": "359c47e9e9ee5e88294532f7bc9ea6196d407870726388237fa3aa26ce5a0e95",
      "lived-1": "c8d2cabe7465d726e2523861be335707a4daa2eb0c0099c2375726190cbc782a",
    ],
    5: [
      "golden-1": "6af1f0cd1dff9705c3583181192f0afc80222c95f3f083e1cd88e8aa02bd1a5e",
      "lived-1": "0797441ed672bd17ce421139b5798a7775801f3f3b51da02d880fcca9dd1e060",
    ],
    // The digests stay, because these books have none of the new data: clients' grocery lists, values entered in hives.
    6: [
      "golden-1": "6af1f0cd1dff9705c3583181192f0afc80222c95f3f083e1cd88e8aa02bd1a5e",
      "lived-1": "0797441ed672bd17ce421139b5798a7775801f3f3b51da02d880fcca9dd1e060",
    ],
    7: [
      "golden-1": "f4db82a97f4ff65f8708e579beba7e264f8c56e62fcbd9fd1b4652475fc40ca2",
      "lived-1": "ac1ec5f5f86ed186d7590e9be2e1208962b97d121354f5314992eac21b8cde3e",
    ],
    // The digests stay, because these books have none of the new data: lists that are set aside.
    8: [
      "golden-1": "f4db82a97f4ff65f8708e579beba7e264f8c56e62fcbd9fd1b4652475fc40ca2",
      "lived-1": "ac1ec5f5f86ed186d7590e9be2e1208962b97d121354f5314992eac21b8cde3e",
    ],
  ]

  @Test(arguments: ["golden-1", "lived-1"])
  func `the state version must rise when apply changes (law 1)`(name: String) throws {
    let fixtures = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().appendingPathComponent("Fixtures").path
    var states = EveryState()
    try BookReader(at: "\(fixtures)/\(name)").replay(into: &states)
    #expect(states.digest.description == Self.digests[BookState.version]?[name])
  }

  @Test func `only snapshots of the newest version are read`() {
    #expect(Self.digests.keys.max() == BookState.version)
    #expect(SnapshotHeader.fingerprint.hasSuffix("-\(BookState.version)"))
  }

  /// Digests the state after every entry.
  private struct EveryState: Projection {
    var state = BookState()
    var digest = Digest.none

    mutating func apply(_ entry: Entry) {
      state.apply(entry)
      var writer = BinaryWriter()
      var records = StateRecords(state)
      while records.writeNext(to: &writer) {}
      digest = Digest(of: Array(digest.description.utf8) + writer.bytes)
    }
  }
}
