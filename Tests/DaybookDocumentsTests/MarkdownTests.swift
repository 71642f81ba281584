@testable import DaybookDocuments
import Testing

/// Markdown as HTML, as far as the documents use it.
@Suite(.tags(.unit)) struct MarkdownTests {
  private func html(_ text: String) -> String {
    Markdown(text).html { $0.hasPrefix("https://") ? $0 : nil }
  }

  @Test func `Markdown is shown, and what it holds of HTML is text`() {
    let shown = html(
      """
      # A <b>

      One `x<y` and **two
      lines** [here](https://a.test/?a=1&b=2) [there](../B.md) [bad](javascript:x)

      - item
        goes on
      - `|`

      | a | b |
      |---|---|
      | 1 | "2" |
      """)
    #expect(
      shown == """
        <h1>A &lt;b&gt;</h1>
        <p>One <code>x&lt;y</code> and <strong>two lines</strong> <a href="https://a.test/?a=1&amp;b=2">here</a> there bad</p>
        <ul><li>item goes on</li><li><code>|</code></li></ul>
        <div class="scroll" tabindex="0" role="group"><table><thead><tr><th scope="col">a</th><th scope="col">b</th></tr></thead><tbody><tr><td>1</td><td>&quot;2&quot;</td></tr></tbody></table></div>

        """)
  }

  @Test func `code keeps its lines and spaces, and nothing in it is markup`() {
    let shown = html("```sh\n# no *heading*\n\n  <b> [x](https://a.test)\n```\nafter")
    #expect(
      shown == """
        <pre class="scroll" tabindex="0"><code># no *heading*

          &lt;b&gt; [x](https://a.test)</code></pre>
        <p>after</p>

        """)
  }

  @Test func `code that is not closed goes to the end`() {
    #expect(html("```\na") == "<pre class=\"scroll\" tabindex=\"0\"><code>a</code></pre>\n")
  }

  @Test func `a numbered list goes on after code in an item`() {
    let shown = html("1. one\n2. two\n   goes on:\n\n   ```sh\n   x  y\n   ```\n\n3. three\n\nend")
    #expect(
      shown == """
        <ol><li>one</li><li>two goes on:<pre class="scroll" tabindex="0"><code>x  y</code></pre>
        </li><li>three</li></ol>
        <p>end</p>

        """)
    #expect(html("4. four") == "<ol start=\"4\"><li>four</li></ol>\n")
    #expect(html("in\n2026. The end") == "<p>in 2026. The end</p>\n")
  }

  @Test func `a list in an item is a list of its own`() {
    #expect(html("- a\n  - b\n- c") == "<ul><li>a<ul><li>b</li></ul>\n</li><li>c</li></ul>\n")
  }

  @Test func `a column without a name has no heading`() {
    #expect(
      html("| | b |\n|---|---|\n| 1 | 2 |").contains(
        "<thead><tr><td></td><th scope=\"col\">b</th></tr></thead>"))
  }

  @Test func `comments are left out`() {
    #expect(html("a\n\n<!-- b\nc -->\nd") == "<p>a</p>\n<p>d</p>\n")
    #expect(html("<!-- b") == "")
  }

  @Test(
    arguments: [
      ("*why* it", "<em>why</em> it"), ("2*n* + 1", "2<em>n</em> + 1"),
      ("a * b * c", "a * b * c"), ("**a", "**a"), ("`a", "`a"), ("[a", "[a"),
      ("[a](b", "[a](b"), ("[a] and [b](https://c)", "[a] and <a href=\"https://c\">b</a>"),
      ("[`a[0]`](https://c)", "<a href=\"https://c\"><code>a[0]</code></a>"),
      (#"\*a\* \n"#, #"*a* \n"#), ("``a`b``", "<code>a`b</code>"), ("", ""), ("[]()", ""),
    ])
  func `signs in a line are markup where they are closed`(text: String, shown: String) {
    #expect(html(text) == (text.isEmpty ? "" : "<p>\(shown)</p>\n"))
  }

  @Test func `headings get the names that links know, each once`() {
    let markdown = Markdown("# A\n## The `log`, or [b](c)!\n### Same\n## Same\n```\n# no\n```")
    #expect(markdown.headings.map(\.anchor) == ["a", "the-log-or-b", "same", "same-1"])
    #expect(markdown.headings.map(\.level) == [1, 2, 3, 2])
    #expect(html("## Same\n## Same").contains("<h2 id=\"section-same-1\">Same</h2>"))
  }
}
