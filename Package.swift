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
]

// Mistakes that the tests must find (`Tests/Durability/planted_bugs.py`): where they are made, and nowhere else, so that they
// are built beside what is there already. Never for use.
let mistakes: [SwiftSetting] =
  Context.environment["DAYBOOK_PLANTED_BUGS"] == nil ? [] : [.define("PLANTED_BUGS")]

let package = Package(
  name: "daybook",
  platforms: [.macOS(.v26), .iOS(.v26)],
  products: [
    .library(name: "Daybook", targets: ["Daybook", "DaybookStore"]),
    .library(name: "DaybookReplica", targets: ["DaybookReplica"]),
    .library(name: "Streaks", targets: ["Streaks", "StreakLaws"]),
    .library(name: "Journal", targets: ["Journal"]),
    .library(name: "Avro", targets: ["Avro"]),
    .library(name: "DaybookTables", targets: ["DaybookTables", "Wire"]),
    .library(name: "PropertyTesting", targets: ["PropertyTesting"]),
    .library(name: "PropertyExpectations", targets: ["PropertyExpectations"]),
    .executable(name: "daybook", targets: ["DaybookCLI"]),
    .executable(name: "daybook-server", targets: ["DaybookServerProgram"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
    .package(url: "https://github.com/apple/swift-crypto", from: "4.5.0"),
    // What follows is for `daybook-server` alone.
    .package(
      url: "https://github.com/apple/swift-configuration", from: "1.4.0", traits: ["JSON", "YAML"]),
    .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
    .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.0"),
    .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.0"),
    .package(url: "https://github.com/apple/swift-nio-extras", from: "1.35.0"),
    .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.0"),
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.0", traits: []),
    .package(url: "https://github.com/hummingbird-project/swift-mustache", from: "2.1.1"),
    .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
  ],
  targets: [
    .systemLibrary(
      name: "CZstd", pkgConfig: "libzstd", providers: [.apt(["libzstd-dev"]), .brew(["zstd"])]),
    .target(name: "PropertyTesting", swiftSettings: settings),
    .target(
      name: "PropertyExpectations", dependencies: ["PropertyTesting"], swiftSettings: settings),
    .target(
      name: "Avro", dependencies: ["CZstd"],
      swiftSettings: settings + mistakes + [.strictMemorySafety()]),
    .target(
      name: "Journal",
      dependencies: ["Avro", .product(name: "Crypto", package: "swift-crypto")],
      swiftSettings: settings + mistakes),
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
      swiftSettings: settings + mistakes),
    // The commands and questions of a book, as they are described to others.
    .target(name: "Catalogue", dependencies: ["DaybookStore"], swiftSettings: settings),
    // The Model Context Protocol: questions and commands as tools for assistants, whatever carries the messages.
    .target(
      name: "DaybookMCP", dependencies: ["Catalogue", "DaybookStore"], swiftSettings: settings),
    // A book as statements for SQLite.
    .target(name: "DaybookSQL", dependencies: ["DaybookStore"], swiftSettings: settings),
    // A copy of what an account sees, on a device that is not always connected.
    .target(name: "DaybookReplica", dependencies: ["DaybookStore"], swiftSettings: settings),
    // Made-up books: one to look at, and large ones to measure.
    .target(
      name: "DaybookSamples", dependencies: ["DaybookStore", "PropertyTesting"],
      swiftSettings: settings),
    // The shapes and colours that pictures of days have, wherever they are drawn.
    .target(name: "Pictures", swiftSettings: settings),
    .executableTarget(
      name: "DaybookCLI",
      dependencies: [
        "DaybookMCP", "DaybookReplica", "DaybookSQL", "DaybookSamples", "DaybookStore", "Pictures",
        "PropertyTesting",
        "StreakLaws",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      swiftSettings: settings),
    // A request and its answer as every part of the server takes and gives them, whatever carries them.
    .target(
      name: "Wire",
      dependencies: [
        "Avro", "Values", .product(name: "HTTPTypes", package: "swift-http-types"),
      ],
      swiftSettings: settings),
    .target(
      name: "DaybookTables",
      dependencies: [
        "DaybookStore", "Wire", .product(name: "HTTPTypes", package: "swift-http-types"),
      ],
      swiftSettings: settings),
    .target(
      name: "DaybookAuth",
      dependencies: [
        "DaybookStore", "Wire",
        .product(name: "Crypto", package: "swift-crypto"),
        .product(name: "CryptoExtras", package: "swift-crypto"),
        .product(name: "GRDB", package: "GRDB.swift"),
        .product(name: "HTTPTypes", package: "swift-http-types"),
      ],
      swiftSettings: settings),
    // What clients of Daybook's own ask: commands, questions, events, and the document that describes them.
    .target(
      name: "DaybookAPI",
      dependencies: [
        "Catalogue", "DaybookMCP", "DaybookStore", "Wire",
        .product(name: "HTTPTypes", package: "swift-http-types"),
      ],
      swiftSettings: settings),
    .target(
      name: "DaybookDelivery",
      dependencies: [
        "DaybookAuth", "DaybookStore", "Wire",
        .product(name: "Crypto", package: "swift-crypto"),
        .product(name: "GRDB", package: "GRDB.swift"),
        .product(name: "HTTPTypes", package: "swift-http-types"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
        .product(name: "NIOSSL", package: "swift-nio-ssl"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
      ],
      swiftSettings: settings),
    // The pages of `Docs`, which the compiler takes in as they are: an array of bytes in Swift would cost minutes.
    .target(name: "CDocuments", exclude: ["Docs"]),
    .target(
      name: "DaybookDocuments", dependencies: ["CDocuments", "Pictures"], swiftSettings: settings),
    // Screens for a browser: HTML that the server renders, and a few scripts. Its files are in the program.
    .target(
      name: "DaybookPage",
      dependencies: [
        "DaybookAPI", "DaybookAuth", "DaybookDocuments", "DaybookStore", "Pictures", "Wire",
        .product(name: "HTTPTypes", package: "swift-http-types"),
        .product(name: "Mustache", package: "swift-mustache"),
      ],
      resources: [.embedInCode("Assets")],
      swiftSettings: settings),
    .target(
      name: "DaybookServer",
      dependencies: [
        "DaybookAPI", "DaybookAuth", "DaybookDelivery", "DaybookPage", "DaybookSamples",
        "DaybookStore",
        "DaybookTables", "Wire",
        .product(name: "AsyncHTTPClient", package: "async-http-client"),
        .product(name: "Configuration", package: "swift-configuration"),
        .product(name: "HTTPTypes", package: "swift-http-types"),
        .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "HummingbirdCore", package: "hummingbird"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "CoreMetrics", package: "swift-metrics"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
        .product(name: "NIOHTTPTypes", package: "swift-nio-extras"),
        .product(name: "NIOHTTPTypesHTTP1", package: "swift-nio-extras"),
        .product(name: "NIOWebSocket", package: "swift-nio"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
        .product(name: "Yams", package: "Yams"),
      ],
      swiftSettings: settings),
    .executableTarget(
      name: "DaybookServerProgram",
      dependencies: [
        "DaybookAuth", "DaybookServer", "DaybookStore",
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
      dependencies: [
        "Archives", "DaybookSamples", "DaybookStore", "PropertyTesting", "SimulatedStorage",
      ],
      exclude: ["Fixtures"],
      swiftSettings: settings),
    .testTarget(
      name: "DaybookReplicaTests",
      dependencies: ["DaybookReplica", "DaybookStore", "PropertyTesting", "SimulatedStorage"],
      swiftSettings: settings),
    // A program of somebody else's: it sees what is public, and no more.
    .testTarget(
      name: "ClientTests", dependencies: ["Avro", "DaybookStore", "PropertyTesting", "Streaks"],
      packageAccess: false, swiftSettings: settings),
    .testTarget(
      name: "DaybookTablesTests",
      dependencies: ["DaybookStore", "DaybookTables", "PropertyTesting", "Wire"],
      swiftSettings: settings),
    .testTarget(
      name: "DaybookAuthTests",
      dependencies: [
        "DaybookAuth", "DaybookStore", "Wire",
        .product(name: "Crypto", package: "swift-crypto"),
        .product(name: "CryptoExtras", package: "swift-crypto"),
        .product(name: "GRDB", package: "GRDB.swift"),
        .product(name: "HTTPTypes", package: "swift-http-types"),
      ],
      swiftSettings: settings),
    .testTarget(
      name: "DaybookMCPTests",
      dependencies: ["Catalogue", "DaybookMCP", "DaybookStore", "PropertyTesting"],
      swiftSettings: settings),
    .testTarget(
      name: "DaybookSQLTests", dependencies: ["DaybookSQL", "DaybookSamples", "DaybookStore"],
      swiftSettings: settings),
    .testTarget(
      name: "DaybookAPITests", dependencies: ["DaybookAPI", "DaybookMCP", "DaybookStore", "Wire"],
      swiftSettings: settings),
    .testTarget(
      name: "DaybookDocumentsTests", dependencies: ["DaybookDocuments"], swiftSettings: settings),
    .testTarget(
      name: "DaybookPageTests",
      dependencies: [
        "DaybookAPI", "DaybookAuth", "DaybookDocuments", "DaybookPage", "DaybookStore", "Pictures",
        "Wire",
        .product(name: "HTTPTypes", package: "swift-http-types"),
      ],
      swiftSettings: settings),
    .testTarget(
      name: "DaybookDeliveryTests",
      dependencies: [
        "DaybookAuth", "DaybookDelivery", "DaybookStore", "PropertyTesting", "Wire",
        .product(name: "Crypto", package: "swift-crypto"),
        .product(name: "HTTPTypes", package: "swift-http-types"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
        .product(name: "NIOSSL", package: "swift-nio-ssl"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
      ],
      swiftSettings: settings),
    .testTarget(
      name: "DaybookServerTests",
      dependencies: [
        "Avro", "Calendar", "Daybook", "DaybookAuth", "DaybookServer", "DaybookStore",
        "DaybookTables", "Journal", "Wire",
        .product(name: "Configuration", package: "swift-configuration"),
        .product(name: "CoreMetrics", package: "swift-metrics"),
        .product(name: "HTTPTypes", package: "swift-http-types"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOEmbedded", package: "swift-nio"),
        .product(name: "NIOHTTPTypes", package: "swift-nio-extras"),
        .product(name: "NIOWebSocket", package: "swift-nio"),
      ],
      swiftSettings: settings),
    .testTarget(
      name: "DaybookCLITests", dependencies: ["DaybookCLI", "DaybookStore", "PropertyTesting"],
      exclude: ["Fixtures"],
      swiftSettings: settings),
  ],
  swiftLanguageModes: [.v6]
)

// What the server needs takes minutes to build. Who builds without it says so: DAYBOOK_WITHOUT_SERVER=1.
if Context.environment["DAYBOOK_WITHOUT_SERVER"] != nil {
  let parts: Set = [
    "Wire", "DaybookTables", "DaybookAuth", "DaybookAPI", "DaybookDelivery", "CDocuments",
    "DaybookDocuments", "DaybookPage", "DaybookServer", "DaybookServerProgram",
  ]
  package.products.removeAll { ["daybook-server", "DaybookTables"].contains($0.name) }
  package.targets.removeAll {
    parts.contains($0.name) || parts.contains(String($0.name.dropLast(5)))
  }
  package.dependencies.removeAll { dependency in
    guard case .sourceControl(_, let location, _) = dependency.kind else { return false }
    return !location.hasSuffix("swift-argument-parser") && !location.hasSuffix("swift-crypto")
  }
}
