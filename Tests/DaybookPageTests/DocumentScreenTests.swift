import DaybookDocuments
@testable import DaybookPage
import HTTPTypes
import Testing
import Wire

/// The documentation at `/docs`.
@Suite(.tags(.unit)) struct DocumentScreenTests {
  private func world() async throws -> PageWorld {
    try await PageWorld(pageSettings: { $0.hasDocuments = true })
  }

  @Test func `the documentation is not there unless it is switched on`() async throws {
    let world = try await PageWorld()
    let browser = try await world.browser(of: "ada@example.com")
    for who in [Browser(world), browser] {
      for target in ["/docs", "/docs/Server", "/docs?search=streak"] {
        #expect(await who.get(target).status == .notFound)
      }
    }
    #expect(!(await browser.get("/settings").text.contains("\"/docs\"")))
  }

  @Test func `every page is readable without a sign-in, under the page's policy`() async throws {
    let browser = Browser(try await world())
    for document in Document.all {
      let answer = await browser.get(document.address)
      #expect(answer.status == .ok, "\(document.address)")
      #expect(answer.text.contains(document.html))
      #expect(answer.headers[.contentSecurityPolicy]?.contains("default-src 'none'") == true)
      #expect(answer.headers[.setCookie] == nil)
    }
  }

  @Test func `a page lists its parts, and a folder its pages`() async throws {
    let browser = Browser(try await world())
    let page = await browser.get("/docs/Server").text
    #expect(page.contains("<li><a href=\"#section-settings\">Settings</a></li>"))
    #expect(page.contains("<h2 id=\"section-settings\">Settings</h2>"))
    let folder = await browser.get("/docs/Legal").text
    #expect(folder.contains("<li><a href=\"/docs/Legal/Terms\">Terms</a></li>"))
    let inFolder = await browser.get("/docs/Legal/Terms").text
    #expect(inFolder.contains("<a href=\"/docs/Legal\">Legal</a>"))
  }

  @Test func `a search is a form that leads to sections`() async throws {
    let browser = Browser(try await world())
    let shown = await browser.get("/docs?search=signing").text
    #expect(shown.contains("<form class=\"log\" method=\"get\" action=\"/docs\" role=\"search\">"))
    #expect(shown.contains("<a href=\"/docs/Server#section-signing-in\">Signing in</a>"))
    #expect(shown.contains("<mark>"))
    #expect(await browser.get("/docs?search=xyzzyx").text.contains("Nothing is found."))
    #expect(await browser.get("/docs?search=").text.contains("<h1>The documentation</h1>"))
  }

  @Test func `what is typed is shown as text`() async throws {
    let browser = Browser(try await world())
    let shown = await browser.get("/docs?search=%22%3E%3Cscript%3Ex%3C%2Fscript%3E").text
    #expect(!shown.contains("<script>x") && shown.contains("&lt;script&gt;x"))
  }

  @Test func `there is nothing else below, and nothing can be sent`() async throws {
    let browser = Browser(try await world())
    for target in [
      "/docs/README", "/docs/nothing", "/docs/Server.md", "/docs/..%2FREADME", "/docs/Server/x",
    ] {
      #expect(await browser.get(target).status == .notFound, "\(target)")
    }
    #expect(await browser.post("/docs", ["search": "x"]).status == .methodNotAllowed)
  }

  @Test func `whoever is signed in finds it in the settings, and sees the same`() async throws {
    let world = try await world()
    let browser = try await world.browser(of: "ada@example.com")
    #expect(await browser.get("/settings").text.contains("<a href=\"/docs\">Documentation</a>"))
    let (mine, theirs) = (await browser.get("/docs").text, await Browser(world).get("/docs").text)
    #expect(mine == theirs)
  }
}
