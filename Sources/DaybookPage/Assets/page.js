// What makes the page quicker. Without it every screen reads and records all the same.
import { Slider } from "./slider.js";

const policy = globalThis.trustedTypes?.createPolicy("daybook", { createHTML: text => text });
// Only answers of this server come here; its templates escape what people wrote.
const parsed = text => new DOMParser().parseFromString(policy ? policy.createHTML(text) : text, "text/html");
document.documentElement.classList.add("scripted");

const slider = new Slider(show);

let latest = 0;

/** Fetches a screen and shows it in place of the present one, unless a later one was asked for meanwhile. */
async function show(address, { request, push = true, replace = false } = {}) {
  const turn = ++latest;
  let answer;
  try {
    answer = await fetch(address, { headers: { Accept: "text/html" }, ...request });
  } catch {
    // Without a network the browser says so itself, and keeps what was typed in.
    return false;
  }
  if (turn !== latest) return true;
  if (!answer.headers.get("Content-Type")?.startsWith("text/html")) {
    // The server has no time just now: it says so in a line.
    alert(await answer.text());
    return true;
  }
  const next = parsed(await answer.text());
  if (turn !== latest) return true;
  const active = document.activeElement, focus = active?.id || active?.getAttribute("aria-label");
  document.title = next.title;
  document.documentElement.dataset.theme = next.documentElement.dataset.theme;
  const isSliding = slider.isHeld;
  for (const part of ["header", "main", ".slider", ".done"]) {
    const [old, fresh] = [document.querySelector(part), next.querySelector(part)];
    if (part === ".slider" && slider.replace(old, fresh)) continue;
    if (old && fresh) old.replaceWith(fresh);
    else if (old) old.remove();
    else if (fresh) document.querySelector("main").before(fresh);
  }
  // A form that was refused leaves the address, so the screen can be loaded again.
  const shown = request && !answer.redirected ? location.href : answer.url || address;
  if (replace) history.replaceState(null, "", shown);
  else if (push) history.pushState(null, "", shown);
  if (focus && !isSliding) {
    (document.getElementById(focus) ?? document.querySelector(`[aria-label="${CSS.escape(focus)}"]`))?.focus();
  }
  return true;
}

// MARK: Forms

document.addEventListener("submit", async event => {
  const form = event.target;
  if (!form.matches("[data-act]") || form.dataset.sent) return;
  event.preventDefault();
  await send(form, new URLSearchParams(new FormData(form, event.submitter)));
});

/** Sends a form once: the same id makes a repetition harmless. */
async function send(form, fields) {
  form.dataset.sent = "yes";
  const wasDone = new Set([...document.querySelectorAll(".card.is-done")].map(card => card.dataset.habit));
  const isSent = await show(form.action, { request: { method: "POST", body: fields }, replace: true });
  if (!isSent) {
    // The browser itself sends what was meant, and says that there is no network.
    for (const [name, value] of fields) {
      const hidden = form.querySelector(`[type=hidden][name="${name}"]`);
      if (hidden) hidden.value = value;
      else if (!form.elements.namedItem(name)?.value) form.append(Object.assign(document.createElement("input"), { type: "hidden", name, value }));
    }
    if (fields.has("do") && !form.querySelector("[type=hidden][name=do]")) form.append(Object.assign(document.createElement("input"), { type: "hidden", name: "do", value: fields.get("do") }));
    HTMLFormElement.prototype.submit.call(form);
    return;
  }
  for (const card of document.querySelectorAll(".card.is-done")) {
    if (!wasDone.has(card.dataset.habit)) card.classList.add("just-done");
  }
}

// MARK: Press and hold

// While a counter's button is held, honey pours: one more every so often, up to the target, and then it is recorded.
let pour;

document.addEventListener("pointerdown", event => {
  const form = event.target.closest?.("[data-pour]");
  if (!form || event.button !== 0) return;
  const target = Number(form.dataset.target);
  pour = { form, value: Number(form.dataset.value), poured: 0 };
  pour.timer = setInterval(() => {
    if (pour.value >= target) return;
    pour.value = Math.min(target, pour.value + Math.max(1, Math.round(target / 20)));
    pour.poured += 1;
    form.closest(".card")?.querySelector(".value")?.firstElementChild?.nextSibling?.replaceWith(String(pour.value));
  }, 140);
});

for (const name of ["pointerup", "pointercancel"]) {
  document.addEventListener(name, () => {
    if (!pour) return;
    clearInterval(pour.timer);
    const { form, value, poured } = pour;
    pour = undefined;
    if (poured === 0) return;
    form.addEventListener("click", event => event.preventDefault(), { once: true, capture: true });
    const fields = new URLSearchParams(new FormData(form));
    fields.set("value", String(value));
    send(form, fields);
  });
}

addEventListener("popstate", () => show(location.href, { push: false }));
