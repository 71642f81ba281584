"""Lets the official client of the Model Context Protocol use `daybook mcp`.

    python3 use_tools.py BINARY

Every question is a tool with a valid JSON Schema; answers are those of `daybook ask`; commands exist only with --write and
change the book, which other programs can write in between; audits are resources; malformed lines get errors of JSON-RPC.
All of it is asked in both ways of the protocol: in a session (up to 2025-11-25), and without one (2026-07-28).
Needs `mcp` and `jsonschema` from PyPI; says "skipped" where they are not installed.
"""

import asyncio
import json
import pathlib
import subprocess
import sys
import tempfile

try:
    import jsonschema
    from mcp import Client, StdioServerParameters
    from mcp.shared.exceptions import MCPError
except ImportError as missing:
    print(f"skipped: the client cannot be loaded here ({missing})")
    sys.exit(0)

BINARY = str(pathlib.Path(sys.argv[1]).resolve())


def daybook(*words, given=None):
    said = subprocess.run([BINARY, *words], input=given, capture_output=True, text=True, timeout=120)
    assert said.returncode == 0, (words, said.stderr)
    return said.stdout


class Tools:
    """The client of an assistant, with the program as its server."""

    def __init__(self, book, *words, mode="auto"):
        self.client = Client(
            StdioServerParameters(command=BINARY, args=["mcp", "--book", str(book), *words]), mode=mode)

    async def __aenter__(self):
        await self.client.__aenter__()
        return self

    async def __aexit__(self, *error):
        await self.client.__aexit__(*error)

    async def list(self):
        tools, cursor = [], None
        while True:
            page = await self.client.list_tools(cursor=cursor)
            tools += page.tools
            cursor = page.next_cursor
            if not cursor:
                return tools

    async def use(self, tool, **arguments):
        result = await self.client.call_tool(tool, arguments)
        assert len(result.content) == 1 and result.content[0].type == "text"
        return json.loads(result.content[0].text), result.is_error

    async def refused(self, work):
        try:
            await work
        except MCPError as error:
            return error.error.code
        raise AssertionError("it was not refused")


async def ask_everything(book, mode, version, missing):
    """Asks all questions; the tools, the resources, and the habits' keys."""
    questions = set(json.loads(daybook("schema", "--questions", "--json"))["$defs"])
    async with Tools(book, "--as", "Ada", mode=mode) as ask:
        assert ask.client.protocol_version == version and ask.client.server_info.name == "daybook"
        tools = await ask.list()
        assert {tool.name for tool in tools} == questions, "each question is a tool"
        for tool in tools:
            jsonschema.Draft202012Validator.check_schema(tool.input_schema)
            assert tool.annotations.read_only_hint and tool.description
        streaks, failed = await ask.use("streaks", on="2026-01-31")
        wanted = json.loads(daybook("ask", "--book", str(book), "--as", "Ada", '{"ask":"streaks","on":"2026-01-31"}'))
        assert not failed and streaks["ok"] == wanted, "the answer is that of `daybook ask`"
        assert streaks["position"] > 5000
        answered = 0
        for tool in tools:
            if tool.input_schema.get("required"):
                continue
            answer, failed = await ask.use(tool.name)
            answered += not failed
            assert len(json.dumps(answer, ensure_ascii=False).encode()) < 40 << 10, tool.name
        assert answered > 20, answered
        refused, failed = await ask.use("audit", habit="nonsense")
        assert failed and refused["error"]["field"] == "habit"
        # Without --write there are no commands.
        assert await ask.refused(ask.client.call_tool("log_habit", {"habit": streaks["ok"][0]["habit"]})) == -32602
        resources = (await ask.client.list_resources()).resources
        assert len(resources) >= len(streaks["ok"])
        audit = await ask.client.read_resource(str(resources[0].uri))
        days = json.loads(audit.contents[0].text)["ok"]["days"]
        assert any(entry["position"] > 0 for day in days for entry in day["evidence"]), "entries are the evidence"
        assert await ask.refused(ask.client.read_resource("daybook://habits/nonsense/audit")) == missing
    print(f"in {version}, {len(tools)} tools and {len(resources)} resources; {answered} answered without arguments")
    return questions, [row["habit"] for row in streaks["ok"]]


async def check(directory):
    book = directory / "demo"
    daybook("demo", "--dir", str(book))
    accounts = json.loads(daybook("accounts", "--json", "--book", str(book)))
    ada = next(row["id"] for row in accounts if row["display_name"] == "Ada")
    await ask_everything(book, "legacy", "2025-11-25", -32002)
    questions, habits = await ask_everything(book, "auto", "2026-07-28", -32602)

    async with Tools(book, "--caller", "Ada") as mine:
        names = {tool.name for tool in await mine.list()}
        assert names == questions - {"accounts", "metrics"}, "an account does not ask about the whole book"
        refused, failed = await mine.use("today", **{"as": ada})
        assert failed and refused["error"]["code"] == "unknown_field"

    async with Tools(book, "--as", "Ada", "--write") as change:
        done, failed = await change.use("create_task", title="Water the plants")
        assert not failed and done["changed"], done
        # Another program writes in between, because the book is not held.
        daybook("task", "add", "Feed the cat", "--as", "Ada", "--book", str(book))
        titles = json.dumps((await change.use("tasks"))[0])
        assert "Water the plants" in titles and "Feed the cat" in titles
        again, failed = await change.use("undo", position=done["position"])
        assert not failed, again
        assert "Water the plants" not in json.dumps((await change.use("tasks"))[0])
        clock, failed = await change.use("log_habit", habit=habits[0], at="2999-01-01T00:00:00Z")
        assert failed and clock["error"]["field"] == "at", "the clock is not the assistant's"

    lines = ["nonsense", "[]", "{}", "x" * 2_000_000, '{"jsonrpc":"2.0","id":9,"method":"ping"}']
    said = daybook("mcp", "--book", str(book), "--as", "Ada", given="\n".join(lines) + "\n")
    answers = [json.loads(line) for line in said.splitlines()]
    assert [answer.get("error", {}).get("code") for answer in answers] == [-32700, -32600, -32600, -32600, None], answers


with tempfile.TemporaryDirectory() as place:
    asyncio.run(check(pathlib.Path(place)))
