// Finds places and things, and does what the page does, by keyboard (DM-14): what `/find` lists, in a dialog.
import { send } from "./forms.js";
import { parsed, show, words } from "./screen.js";
import { make } from "./waiting.js";

const isOff = () => {
  try { return localStorage.getItem("daybook-keys") === "off"; } catch { return false; }
};
const pauseBeforeAsking = 120;
let dialog, field, list, timer, asked = 0, found = [], foundText, chosen = 0, isMoved = false;

document.addEventListener("keydown", event => {
  if (event.defaultPrevented || event.isComposing) return;
  if ((event.ctrlKey || event.metaKey) && !event.altKey && event.key.toLowerCase() === "k") {
    event.preventDefault();
    return open();
  }
  if (event.ctrlKey || event.metaKey || event.altKey || isOff() || document.querySelector("dialog[open]")) return;
  if (event.target.closest?.("input, textarea, select, [contenteditable]")) return;
  if (event.key === "/") {
    event.preventDefault();
    open();
  } else if (event.key === "?") {
    event.preventDefault();
    document.getElementById("keys")?.showModal();
  }
});

document.addEventListener("click", event => {
  if (!event.target.closest?.("header a.find") || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  open();
});

// Keys of one character can be switched off: some people speak, and their words are typed (WCAG 2.1.4).
const box = document.getElementById("single-keys");
if (box) {
  box.checked = !isOff();
  box.addEventListener("change", () => {
    if (box.checked) localStorage.removeItem("daybook-keys");
    else localStorage.setItem("daybook-keys", "off");
  });
}

function build() {
  field = make("input", { id: "palette-field", type: "text", autocomplete: "off", spellcheck: false });
  list = make("ul", { id: "palette-list" });
  for (const [element, names] of [
    [field, {
      role: "combobox", "aria-expanded": "true", "aria-autocomplete": "list", "aria-controls": "palette-list",
      "aria-label": words("find"),
    }],
    [list, { role: "listbox", "aria-label": words("find") }],
  ]) for (const [name, value] of Object.entries(names)) element.setAttribute(name, value);
  dialog = make("dialog", { id: "palette" }, field, list);
  dialog.setAttribute("aria-label", words("find"));
  document.body.append(dialog);
  field.addEventListener("input", () => {
    clearTimeout(timer);
    isMoved = false;
    timer = setTimeout(ask, pauseBeforeAsking);
  });
  field.addEventListener("keydown", steer);
  list.addEventListener("click", event => {
    const option = event.target.closest("[role=option]");
    if (option) run(found[[...list.children].indexOf(option)]);
  });
  dialog.addEventListener("click", event => { if (event.target === dialog) dialog.close(); });
}

function open() {
  if (!document.querySelector("header a.find")) return;
  if (!dialog) build();
  if (dialog.open) return;
  field.value = "";
  isMoved = false;
  dialog.showModal();
  field.focus();
  ask();
}

/** Asks the server what is found. Without a connection there are the places. */
async function ask() {
  const turn = ++asked, text = field.value, address = new URL("/find", location);
  address.searchParams.set("search", text.trim());
  let items;
  try {
    const answer = await fetch(address, { headers: { Accept: "text/html", "Daybook-Refresh": "1" } });
    items = [...parsed(await answer.text()).querySelectorAll(".found > li")];
  } catch {
    items = [...document.querySelectorAll("header nav a")].map(link => make("li", {}, link.cloneNode(true)));
  }
  if (turn !== asked) return;
  // What was chosen by an arrow key stays chosen in a list that comes later.
  const kept = isMoved ? list.children[chosen]?.textContent : undefined;
  [found, foundText] = [items, text];
  list.replaceChildren(...items.map((item, place) => {
    const kind = item.querySelector(".soft")?.textContent ?? "";
    const option = make("li", { id: `palette-${place}` },
      make("span", { textContent: item.querySelector("a, button").textContent }), " ", make("span", { className: "soft", textContent: kind }));
    option.setAttribute("role", "option");
    return option;
  }));
  if (items.length === 0) list.append(make("li", { className: "soft", textContent: words("none") }));
  choose(Math.max(0, [...list.children].findIndex(option => option.textContent === kept)));
}

function choose(place) {
  chosen = found.length === 0 ? 0 : (place + found.length) % found.length;
  for (const option of list.querySelectorAll("[role=option]")) option.setAttribute("aria-selected", String(option.id === `palette-${chosen}`));
  if (found.length > 0) field.setAttribute("aria-activedescendant", `palette-${chosen}`);
  else field.removeAttribute("aria-activedescendant");
  list.children[chosen]?.scrollIntoView({ block: "nearest" });
}

async function steer(event) {
  if (event.isComposing) return;
  if (event.key === "ArrowDown" || event.key === "ArrowUp") {
    isMoved = true;
    choose(chosen + (event.key === "ArrowDown" ? 1 : -1));
  } else if (event.key === "Enter") {
    event.preventDefault();
    // What was typed last may not have been answered yet.
    clearTimeout(timer);
    if (field.value !== foundText) await ask();
    return run(found[chosen]);
  } else return;
  event.preventDefault();
}

function run(item) {
  if (!item) return;
  dialog.close();
  const link = item.querySelector("a");
  if (link) return show(link.href);
  const form = document.importNode(item.querySelector("form"), true);
  const fields = new URLSearchParams(new FormData(form));
  fields.set("back", location.pathname + location.search);
  send(form, fields, form.querySelector("button"));
}
