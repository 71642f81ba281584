// Shows what waits to be sent, and what was refused.
import { correct, drop, flush, items } from "./queue.js";
import { whenShown, words } from "./screen.js";

/** Makes an element. Its text is text: what people wrote is never markup. */
export function make(name, properties = {}, ...children) {
  const element = Object.assign(document.createElement(name), properties);
  element.append(...children);
  return element;
}

async function showWaiting() {
  const waiting = await items().catch(() => []);
  const old = document.getElementById("waiting");
  // What is being corrected stays as it is.
  if (old?.contains(document.activeElement) && document.activeElement.matches("input, textarea") && waiting.length > 0) return;
  const hadFocus = old?.contains(document.activeElement);
  old?.remove();
  for (const card of document.querySelectorAll(".is-waiting")) card.classList.remove("is-waiting");
  if (waiting.length === 0) {
    if (hadFocus) document.querySelector("main").focus();
    return;
  }
  const list = make("ul", {}, ...waiting.map(line));
  const title = make("h2", { id: "waiting-name", textContent: `${words("waiting")} (${waiting.length})` });
  const section = make("section", { id: "waiting", className: "waiting note" }, title, list);
  section.setAttribute("aria-labelledby", "waiting-name");
  document.querySelector("main").before(section);
  if (hadFocus) section.querySelector("button")?.focus();
  for (const item of waiting) {
    const { habit, task } = Object.fromEntries(item.fields);
    for (const card of document.querySelectorAll("[data-habit], [data-key]")) {
      if ([habit, task].includes(card.dataset.habit ?? card.dataset.key)) card.classList.add("is-waiting");
    }
  }
}

function line(item) {
  const time = make("time", { className: "soft", dateTime: item.at, textContent: moment(item.at) });
  const away = make("button", { className: "quiet", textContent: words("drop"), onclick: () => drop(item) });
  away.setAttribute("aria-label", `${words("drop")}: ${item.label}`);
  const row = make("li", {}, make("span", { textContent: item.label }), " ", time, " ", away);
  if (!item.sentence) return row;
  row.append(make("p", { className: "refused", textContent: `${words("refused")} ${item.sentence}` }));
  const values = new Map(item.fields);
  const typed = item.typed.filter(([name]) => values.has(name));
  const form = make("form", { className: "log" });
  for (const [name, label] of typed) form.append(make("label", {}, `${label} `, make("input", { name, value: values.get(name) })));
  form.append(make("button", { textContent: typed.length > 0 ? words("correct") : words("again") }));
  form.addEventListener("submit", event => {
    event.preventDefault();
    document.activeElement?.blur();
    correct(item, new Map(new FormData(form)));
  });
  row.append(form);
  return row;
}

export const moment = text =>
  new Date(text).toLocaleString(document.documentElement.lang, { dateStyle: "medium", timeStyle: "short" });

// Signing out deletes what waits, so it is sent first, or the person says that it need not be.
document.addEventListener("submit", async event => {
  const form = event.target;
  if (!form.matches("form[action='/leave']") || form.dataset.isSure) return;
  if (form.querySelector("[name=scope][value=others]")) return;
  event.preventDefault();
  await flush().catch(() => {});
  const left = await items().catch(() => []);
  if (left.length > 0 && !confirm(words("leave"))) return;
  form.dataset.isSure = "yes";
  form.requestSubmit(event.submitter);
});

document.addEventListener("daybook:queued", showWaiting);
whenShown(showWaiting);
