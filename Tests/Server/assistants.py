"""Lets the official client of the Model Context Protocol use a daybook-server at /mcp.

    assistants.py daybook-server

Somebody who signed in asks and acts, in both ways of the protocol; without the settings there is no such path, or no
command. Needs `mcp` from PyPI; says "skipped" where it is not installed.
"""

import asyncio
import json
import os
import sys

from client import Client as Asking
from served import Served

try:
    import httpx2
    from mcp import Client
    from mcp.client.streamable_http import streamable_http_client
    from mcp.shared.exceptions import MCPError
except ImportError as missing:
    print(f"skipped: the client cannot be loaded here ({missing})")
    sys.exit(0)


async def use(client, tool, **arguments):
    result = await client.call_tool(tool, arguments)
    return json.loads(result.content[0].text), result.is_error


async def converse(server, token, mode, version, can_write):
    """What a client finds: the number of its tools."""
    headers = {"Authorization": f"Bearer {token}"}
    async with httpx2.AsyncClient(headers=headers) as connection:
        transport = streamable_http_client(f"{server.url}/mcp", http_client=connection)
        async with Client(transport, mode=mode) as client:
            assert client.protocol_version == version, client.protocol_version
            tools, cursor = [], None
            while True:
                page = await client.list_tools(cursor=cursor)
                tools += page.tools
                cursor = page.next_cursor
                if not cursor:
                    break
            names = {tool.name for tool in tools}
            assert "today" in names and "accounts" not in names and ("create_habit" in names) == can_write
            if can_write:
                done, failed = await use(client, "create_habit", name=f"Read in {version}")
                assert not failed and done["changed"], done
            else:
                try:
                    await client.call_tool("create_habit", {"name": "Read"})
                    raise AssertionError("a command was carried out")
                except MCPError as error:
                    assert error.error.code == -32602, error
            habits, failed = await use(client, "habits")
            assert not failed and (len(habits["ok"]) > 0) == can_write, habits
            resources = (await client.list_resources()).resources
            assert len(resources) == len(habits["ok"])
            for resource in resources:
                audit = await client.read_resource(str(resource.uri))
                assert "days" in json.loads(audit.contents[0].text)["ok"]
    return len(tools)


def main():
    binary = os.path.abspath(sys.argv[1])
    with Served(binary) as server:
        asking = Asking(server.port)
        token = asking.sign_in("ada@example.org", "Ada")["access_token"]
        assert asking.ask("POST", "/mcp", {}, token).status == 404, "it is off unless switched on"
        server.stop()
        asking.close()
        for write in ("false", "true"):
            server.environment = {"DAYBOOK_ASSISTANTS": "true", "DAYBOOK_ASSISTANTS_WRITE": write}
            server.start()
            assert asking.ask("POST", "/mcp", {}).status == 401, "nobody is signed in"
            for mode, version in (("legacy", "2025-11-25"), ("auto", "2026-07-28")):
                count = asyncio.run(converse(server, token, mode, version, write == "true"))
                print(f"the official client used {count} tools over HTTP in {version}")
            server.stop()
            asking.close()


if __name__ == "__main__":
    main()
