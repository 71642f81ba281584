// swift-tools-version: 6.3
import PackageDescription

let settings: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  .enableUpcomingFeature("InferIsolatedConformances"),
  .enableExperimentalFeature("Lifetimes"),
  .treatAllWarnings(as: .error),
  .define("PLANTED_BUGS", .when(traits: ["PlantedBugs"])),
]

let package = Package(
  name: "daybook",
  platforms: [.macOS(.v26), .iOS(.v26)],
  products: [
    .library(name: "Daybook", targets: ["Daybook", "DaybookStore"]),
    .library(name: "Streaks", targets: ["Streaks", "StreakLaws"]),
    .library(name: "Journal", targets: ["Journal"]),
    .library(name: "Avro", targets: ["Avro"]),
    .library(name: "PropertyTesting", targets: ["PropertyTesting"]),
    .library(name: "PropertyExpectations", targets: ["PropertyExpectations"]),
    .executable(name: "daybook", targets: ["DaybookCLI"]),
  ],
  traits: [
    .trait(
      name: "PlantedBugs",
      description: "Compiles mistakes in, for the tests that must find them. Never for use.")
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
    .package(url: "https://github.com/apple/swift-crypto", from: "4.5.0"),
  ],
  targets: [
    .systemLibrary(
      name: "CZstd", pkgConfig: "libzstd", providers: [.apt(["libzstd-dev"]), .brew(["zstd"])]),
    .target(name: "PropertyTesting", swiftSettings: settings),
    .target(
      name: "PropertyExpectations", dependencies: ["PropertyTesting"], swiftSettings: settings),
    .target(
      name: "Avro", dependencies: ["CZstd"], swiftSettings: settings + [.strictMemorySafety()]),
    .target(
      name: "Journal",
      dependencies: ["Avro", .product(name: "Crypto", package: "swift-crypto")],
      swiftSettings: settings),
    .target(name: "SimulatedStorage", dependencies: ["Journal"], swiftSettings: settings),
    .target(name: "Archives", swiftSettings: settings + [.strictMemorySafety()]),
    .target(name: "Values", swiftSettings: settings),
    .target(name: "Calendar", dependencies: ["Avro", "Values"], swiftSettings: settings),
    .target(
      name: "Kitchen", dependencies: ["Avro", "Calendar", "Values"], swiftSettings: settings),
    .target(name: "Streaks", dependencies: ["Calendar"], swiftSettings: settings),
    .target(
      name: "StreakLaws", dependencies: ["Calendar", "PropertyTesting", "Streaks"],
      swiftSettings: settings),
    .target(
      name: "Daybook",
      dependencies: [
        "Avro", "Calendar", "Kitchen", "Streaks", "Values",
        .product(name: "Crypto", package: "swift-crypto"),
      ],
      swiftSettings: settings),
    .target(
      name: "DaybookStore",
      dependencies: [
        "Archives", "Daybook", "Journal", .product(name: "Crypto", package: "swift-crypto"),
      ],
      swiftSettings: settings),
    .executableTarget(
      name: "DaybookCLI",
      dependencies: [
        "DaybookStore", "PropertyTesting", "StreakLaws",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      swiftSettings: settings),
    .executableTarget(
      name: "EmbedABook", dependencies: ["DaybookStore"], path: "Examples/EmbedABook",
      packageAccess: false, swiftSettings: settings),
    .executableTarget(
      name: "FollowABook", dependencies: ["DaybookStore"], path: "Examples/FollowABook",
      packageAccess: false, swiftSettings: settings),
    .executableTarget(
      name: "TestAStreakRule", dependencies: ["Daybook", "PropertyTesting", "StreakLaws"],
      path: "Examples/TestAStreakRule", packageAccess: false, swiftSettings: settings),
    .executableTarget(
      name: "CrashSimulation",
      dependencies: [
        "DaybookStore", "PropertyTesting", "SimulatedStorage",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      path: "Tests/Simulation", swiftSettings: settings),
    .testTarget(
      name: "PropertyTestingTests", dependencies: ["PropertyExpectations", "PropertyTesting"],
      swiftSettings: settings),
    .testTarget(
      name: "AvroTests", dependencies: ["Avro", "PropertyTesting"], exclude: ["Fixtures"],
      swiftSettings: settings),
    .testTarget(
      name: "JournalTests", dependencies: ["Journal", "PropertyTesting", "SimulatedStorage"],
      exclude: ["Fixtures"],
      swiftSettings: settings),
    .testTarget(
      name: "SimulationTests",
      dependencies: ["CrashSimulation", "PropertyTesting", "SimulatedStorage"],
      swiftSettings: settings),
    .testTarget(
      name: "DaybookTests", dependencies: ["Daybook", "PropertyTesting", "StreakLaws"],
      swiftSettings: settings),
    .testTarget(
      name: "DaybookStoreTests",
      dependencies: ["Archives", "DaybookStore", "PropertyTesting", "SimulatedStorage"],
      exclude: ["Fixtures"],
      swiftSettings: settings),
    // A program of somebody else's: it sees what is public, and no more.
    .testTarget(
      name: "ClientTests", dependencies: ["Avro", "DaybookStore", "PropertyTesting", "Streaks"],
      packageAccess: false, swiftSettings: settings),
    .testTarget(
      name: "DaybookCLITests", dependencies: ["DaybookCLI", "DaybookStore", "PropertyTesting"],
      exclude: ["Fixtures"],
      swiftSettings: settings),
  ],
  swiftLanguageModes: [.v6]
)
