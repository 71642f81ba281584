// swift-tools-version: 6.3
import Foundation
import PackageDescription

// A separate package: its executables have no `main` except libFuzzer's, so they build only with the sanitizer, and
// `swift build` of Daybook must not include them. `fuzz.sh` builds and runs them.

// The targets fuzz Daybook's internals, so they need its `package` declarations. SwiftPM names a package after its
// directory, with an underscore for characters that Swift names lack; `packageAccess` would give them another package
// name.
let daybookIdentity = String(
  URL(filePath: Context.packageDirectory + "/../..").standardized.lastPathComponent.lowercased()
    .map { $0.isLetter || $0.isNumber ? $0 : "_" })

let settings: [SwiftSetting] = [
  .unsafeFlags(["-package-name", daybookIdentity]),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .treatAllWarnings(as: .error),
]

let avro = Target.Dependency.product(name: "Avro", package: "daybook")
let journal = Target.Dependency.product(name: "Journal", package: "daybook")
let daybook = Target.Dependency.product(name: "Daybook", package: "daybook")
let tables = Target.Dependency.product(name: "DaybookTables", package: "daybook")
let types = Target.Dependency.product(name: "HTTPTypes", package: "swift-http-types")
let crypto = Target.Dependency.product(name: "Crypto", package: "swift-crypto")

let package = Package(
  name: "fuzzing",
  platforms: [.macOS(.v26)],
  dependencies: [
    .package(name: "daybook", path: "../.."),
    .package(url: "https://github.com/apple/swift-crypto", from: "4.5.0"),
    .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
  ],
  targets: [
    .target(
      name: "Fuzzing", dependencies: [avro, daybook], path: "Targets/Fuzzing",
      packageAccess: false, swiftSettings: settings),
    .executableTarget(
      name: "FuzzContainer", dependencies: ["Fuzzing", avro], path: "Targets/FuzzContainer",
      packageAccess: false, swiftSettings: settings),
    .executableTarget(
      name: "FuzzSchema", dependencies: ["Fuzzing", avro], path: "Targets/FuzzSchema",
      packageAccess: false, swiftSettings: settings),
    .executableTarget(
      name: "FuzzValues", dependencies: ["Fuzzing", avro], path: "Targets/FuzzValues",
      packageAccess: false, swiftSettings: settings),
    .executableTarget(
      name: "FuzzResolution", dependencies: ["Fuzzing", avro], path: "Targets/FuzzResolution",
      packageAccess: false, swiftSettings: settings),
    .executableTarget(
      name: "FuzzJournal", dependencies: ["Fuzzing", avro, journal, crypto],
      path: "Targets/FuzzJournal",
      packageAccess: false, swiftSettings: settings),
    .executableTarget(
      name: "FuzzEntries", dependencies: ["Fuzzing", avro, journal, daybook],
      path: "Targets/FuzzEntries",
      packageAccess: false, swiftSettings: settings),
    .executableTarget(
      name: "FuzzImports", dependencies: ["Fuzzing", avro, journal, daybook],
      path: "Targets/FuzzImports",
      packageAccess: false, swiftSettings: settings),
    .executableTarget(
      name: "FuzzZones", dependencies: ["Fuzzing", daybook], path: "Targets/FuzzZones",
      packageAccess: false, swiftSettings: settings),
    .executableTarget(
      name: "FuzzCalendars", dependencies: ["Fuzzing", journal, daybook],
      path: "Targets/FuzzCalendars",
      packageAccess: false, swiftSettings: settings),
    .executableTarget(
      name: "FuzzRecipes", dependencies: ["Fuzzing", journal, daybook],
      path: "Targets/FuzzRecipes",
      packageAccess: false, swiftSettings: settings),
    .executableTarget(
      name: "FuzzCommands", dependencies: ["Fuzzing", avro, journal, daybook],
      path: "Targets/FuzzCommands",
      packageAccess: false, swiftSettings: settings),
    .executableTarget(
      name: "FuzzQuery", dependencies: ["Fuzzing", avro, daybook, tables, types],
      path: "Targets/FuzzQuery",
      packageAccess: false, swiftSettings: settings),
  ],
  swiftLanguageModes: [.v6]
)
