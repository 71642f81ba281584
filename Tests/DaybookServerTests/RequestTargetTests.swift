import Testing

@testable import DaybookServer

@Suite(.tags(.unit)) struct RequestTargetTests {
  @Test(
    arguments: [
      ("/rest/v1/habits?select=*", nil, ["rest", "v1", "habits"], "select=*"),
      ("/p/habithive/rest/v1/habits", "habithive", ["rest", "v1", "habits"], ""),
      ("//rest//v1/habits/", nil, ["rest", "v1", "habits"], ""),
      ("/rest/v1/h%C3%A4bits?a=b?c", nil, ["rest", "v1", "häbits"], "a=b?c"),
      ("/", nil, [], ""), ("/p", nil, ["p"], ""),
    ] as [(String, String?, [String], String)])
  func `a target is split into app, path and query`(
    target: String, app: String?, path: [String], query: String
  ) throws {
    let read = try #require(RequestTarget(target))
    #expect(read.app == app)
    #expect(read.path == path)
    #expect(read.query == query)
  }

  @Test(arguments: [
    "", "rest/v1", "http://other/rest/v1", "*", "/rest/../health", "/rest/%2e%2e/health",
    "/rest/v1/a%2fb", "/rest/%00", "/rest/v1/a%0d%0ab", "/./health",
  ])
  func `an invalid or escaping target is refused`(target: String) {
    #expect(RequestTarget(target) == nil)
  }

  @Test func `each part of the server is found by its path (HH-28)`() {
    #expect(Route(["rest", "v1", "rpc", "log_habit"]) == .rest(["rpc", "log_habit"]))
    #expect(Route(["auth", "v1", "token"]) == .auth(["token"]))
    #expect(Route(["functions", "v1", "send-email"]) == .function("send-email"))
    #expect(Route(["realtime", "v1", "websocket"]) == .realtime)
    #expect(Route(["v1", "ask", "today"]) == .api(["ask", "today"]))
    #expect(Route(["health"]) == .health)
    #expect(Route([]) == .page([]))
    #expect(Route(["habits", "x"]) == .page(["habits", "x"]))
    for path in [["rest"], ["rest", "v2"], ["functions", "v1"], ["health", "x"], ["v1"]] {
      #expect(Route(path) == nil, "\(path)")
    }
  }

  @Test func `only routes that a browser opens by itself need no key (contract, section 1)`() {
    for path in [["authorize"], ["callback"], ["verify"], [".well-known", "jwks.json"]] {
      #expect(Route.auth(path).isOpen, "\(path)")
    }
    for route: Route in [
      .auth(["token"]), .auth(["user"]), .rest(["habits"]), .function("x"), .realtime,
    ] {
      #expect(!route.isOpen, "\(route)")
    }
  }

  @Test func `logs and figures never contain text from the request (DM-15)`() {
    let names: Set = ["habits", "log_habit", "rpc"]
    #expect(Route.rest(["habits"]).label(names) == "rest/habits")
    #expect(Route.rest(["rpc", "log_habit"]).label(names) == "rpc/log_habit")
    for word in ["ada@example.com", "a0000000-0000-4000-8000-000000000001", "tagebuch"] {
      #expect(Route.rest([word]).label(names) == "rest/other")
      #expect(Route.rest(["rpc", word]).label(names) == "rpc/other")
      #expect(Route.function(word).label(names) == "functions/other")
      #expect(Route.api(["ask", word]).label(names) == "ask")
    }
  }
}
