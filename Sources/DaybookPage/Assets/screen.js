// Fetches screens of the server, and shows them in place of the present one.
import { morph } from "./morph.js";

const policy = globalThis.trustedTypes?.createPolicy("daybook", {
  // Only answers of this server come here; its templates escape what people wrote.
  createHTML: text => text,
  createScriptURL: address => {
    if (address !== "/sw.js") throw new TypeError(`${address} is no script of the page`);
    return address;
  },
});
export const parsed = text => new DOMParser().parseFromString(policy ? policy.createHTML(text) : text, "text/html");
export const scriptAddress = address => policy ? policy.createScriptURL(address) : address;

/** What the present screen says of itself: `account`, `token`, `position`, and `kept`, if it was kept from an earlier time. */
export const facts = document.documentElement.dataset;

/** A sentence of the page in its language, in which `{name}` stands for a value. */
export const words = (key, values = {}) =>
  (document.getElementById("words")?.dataset[key] ?? "").replace(/\{(\w+)\}/g, (all, name) => values[name] ?? all);

/** Says something in a line, which is also read out. */
export function say(text) {
  let line = document.getElementById("said");
  if (!line) {
    line = Object.assign(document.createElement("p"), { id: "said", className: "note" });
    line.setAttribute("role", "status");
    document.querySelector("main").before(line);
  }
  line.textContent = text;
  line.hidden = !text;
}

/** Calls a function now, and whenever another screen was shown. */
export function whenShown(work) {
  document.addEventListener("daybook:shown", work);
  work();
}

let slider, latest = 0, holders = 0, isStale = false;

/** The slider, which keeps its handle where it is held. */
export const showSlider = one => { slider = one; };

/** While something is under way that a fresh screen would disturb, none is fetched by itself. */
export function hold() {
  holders += 1;
  let isHeld = true;
  return () => {
    if (!isHeld) return;
    isHeld = false;
    holders -= 1;
    if (isStale) refresh();
  };
}

/** Statuses that say that the server, or what is before it, cannot answer just now. */
const isAway = status => [429, 502, 503, 504].includes(status);

/**
 * Fetches a screen and shows it in place of the present one, unless a later one was asked for meanwhile.
 *
 * Returns the answer; nothing if there was none, or if a form was not taken because the server has no time.
 */
export async function show(address, { request, push = true, replace = false, quiet = false } = {}) {
  const turn = ++latest;
  let answer, text;
  try {
    const headers = quiet ? { Accept: "text/html", "Daybook-Refresh": "1" } : { Accept: "text/html" };
    answer = await fetch(address, { headers, ...request });
    if (request && isAway(answer.status)) return;
    text = await answer.text();
  } catch {
    if (!request && !quiet && turn === latest) say(words("offline"));
    return;
  }
  if (turn !== latest) return answer;
  if (!answer.headers.get("Content-Type")?.startsWith("text/html")) {
    // The server has no time just now: it says so in a line.
    if (!quiet) say(text);
    return answer;
  }
  const next = parsed(text);
  // If the session ended elsewhere, what was typed stays. Sending it leads to the sign-in, and on from there.
  if (quiet && !next.documentElement.dataset.account && isTyped()) return answer;
  // A form that was refused leaves the address, so the screen can be loaded again.
  const shown = request && !answer.redirected ? location.href : answer.url || address;
  const { pathname, href } = new URL(shown, location), isOther = pathname !== location.pathname;
  const isSame = href.split("#")[0] === location.href.split("#")[0];
  if (!quiet) say("");
  put(next, { isSame: isSame && !(request && !answer.redirected), quiet });
  if (replace) history.replaceState(null, "", shown);
  else if (push && !isSame) history.pushState(null, "", shown);
  if (isOther && push) scrollTo(0, 0);
  document.dispatchEvent(new CustomEvent("daybook:shown"));
  return answer;
}

/** Whether something is typed that was not sent yet. */
const isTyped = () => [...document.querySelectorAll("main input:not([type=hidden], [type=checkbox], [type=radio]), main textarea")]
  .some(field => field.value !== field.defaultValue);

/** Puts a screen in place of the present one. What is the reader's stays: the focus, and on the same screen what they typed. */
function put(next, { isSame, quiet }) {
  const active = document.activeElement, focus = active?.id || active?.getAttribute("aria-label");
  const around = active?.closest("[data-key], [data-habit]");
  document.title = next.title;
  for (const name of ["theme", "account", "token", "position", "kept"]) {
    const value = next.documentElement.dataset[name];
    if (value === undefined) delete facts[name];
    else facts[name] = value;
  }
  const isHeld = slider?.isHeld;
  for (const part of ["header", ".slider", ".done", "main"]) {
    // What was done before is not said again, and stays said.
    if (part === ".done" && quiet) continue;
    const [old, fresh] = [document.querySelector(part), next.querySelector(part)];
    if (part === ".slider" && slider?.replace(old, fresh)) continue;
    if (old && fresh && isSame) morph(old, fresh);
    else if (old && fresh) old.replaceWith(fresh);
    else if (old) old.remove();
    else if (fresh) document.querySelector("main").before(fresh);
  }
  if (!focus || isHeld || active.isConnected && document.activeElement === active) return;
  const there = document.getElementById(focus) ?? document.querySelector(`[aria-label="${CSS.escape(focus)}"]`);
  const name = around?.dataset.key ? "key" : "habit";
  const place = around && document.querySelector(`[data-${name}="${CSS.escape(around.dataset[name] ?? "")}"]`);
  (there ?? place?.querySelector("button, a[href]") ?? document.querySelector("main")).focus();
}

/** Shows the present screen again because something changed, as soon as that disturbs nobody. */
export async function refresh() {
  isStale = true;
  // The past does not change. A sentence that tells what was wrong, and what was typed with it, is still to be read.
  if (holders > 0 || document.hidden || !facts.account) return;
  if (document.querySelector(".slider.past, main [role=alert]")) return;
  isStale = false;
  await show(location.href, { push: false, quiet: true });
}

document.addEventListener("visibilitychange", () => { if (isStale) refresh(); });
