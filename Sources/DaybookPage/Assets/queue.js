// What could not be sent: it is kept in the browser, and sent later in the order in which it was done.
//
// Each form has an id, so one whose answer was lost is not carried out again. It belongs to an account, and is sent only from
// a screen of that account, with the token of that screen; the server refuses a token of another session.
import { facts, parsed, refresh, say, words } from "./screen.js";

const shortestWait = 2000, longestWait = 60_000;
let pause = shortestWait, timer;

/** A random UUID, also where the connection is not secure and browsers make none. */
export function freshID() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = bytes[6] & 0x0f | 0x40;
  bytes[8] = bytes[8] & 0x3f | 0x80;
  const digits = [...bytes].map(byte => byte.toString(16).padStart(2, "0")).join("");
  return [digits.slice(0, 8), digits.slice(8, 12), digits.slice(12, 16), digits.slice(16, 20), digits.slice(20)].join("-");
}

/** Works on the store, in a transaction of its own. */
function store(mode, work) {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open("daybook", 1);
    request.onupgradeneeded = () =>
      request.result.createObjectStore("queue", { keyPath: "number", autoIncrement: true }).createIndex("account", "account");
    request.onerror = () => reject(request.error);
    request.onsuccess = () => {
      const database = request.result;
      // Signing out deletes the database.
      database.onversionchange = () => database.close();
      const transaction = database.transaction("queue", mode);
      const result = work(transaction.objectStore("queue"));
      transaction.oncomplete = () => {
        database.close();
        resolve(result.result);
      };
      transaction.onabort = () => {
        database.close();
        reject(transaction.error);
      };
    };
  });
}

const told = () => document.dispatchEvent(new CustomEvent("daybook:queued"));

/** What waits of the account that is shown, in the order in which it was done. */
export async function items() {
  if (!facts.account || !globalThis.indexedDB) return [];
  return store("readonly", all => all.index("account").getAll(facts.account));
}

export async function drop(item) {
  await store("readwrite", all => all.delete(item.number));
  told();
}

/** Sends a refused form again with other values, as another form. */
export async function correct(item, values) {
  const fields = item.fields.map(([name, value]) => [name, name === "id" ? freshID() : values.get(name) ?? value]);
  await store("readwrite", all => all.put({ ...item, fields, sentence: "" }));
  told();
  await flush();
}

/**
 * Keeps a form that could not be sent.
 *
 * Fails if the browser keeps nothing, or if nobody is signed in.
 */
export async function keep(form, fields, button) {
  if (!facts.account || !globalThis.indexedDB) throw new Error("nothing is kept here");
  const typed = [...form.elements].filter(({ name, type }) => name && !["hidden", "submit", "button"].includes(type));
  const label = (button?.getAttribute("aria-label") || button?.textContent || "").trim();
  const values = typed.filter(({ type }) => ["text", "search", "textarea"].includes(type)).map(({ value }) => value);
  await store("readwrite", all => all.add({
    account: facts.account, at: new Date().toISOString(), sentence: "",
    fields: [...fields].filter(([name]) => name !== "token"),
    label: [label, ...values].filter(Boolean).join(": "),
    typed: typed.map(field => [field.name, (field.labels?.[0]?.textContent ?? field.name).trim()]),
  }));
  told();
  again();
}

/** Sends what waits, one after another, in one tab only. What is refused stays, with the sentence that says why. */
export async function flush() {
  clearTimeout(timer);
  if (!facts.account || (await items()).length === 0) return;
  const work = () => sendAll().catch(() => again());
  await (navigator.locks ? navigator.locks.request("daybook-queue", work) : work());
}

async function sendAll() {
  const account = facts.account;
  let token = facts.token, isFresh = false, sentCount = 0;
  for (const item of await items()) {
    if (item.sentence) continue;
    let answer = await deliver(item, token);
    if (answer.stale && !isFresh) {
      // Another session of the same account has other tokens.
      isFresh = true;
      token = await freshToken(account);
      if (token) answer = await deliver(item, token);
    }
    if (answer.isAway || answer.stale) {
      again(answer.seconds);
      break;
    }
    if (answer.sentence) await store("readwrite", all => all.put({ ...item, sentence: answer.sentence }));
    else {
      await store("readwrite", all => all.delete(item.number));
      sentCount += 1;
    }
    pause = shortestWait;
  }
  told();
  if (sentCount === 0) return;
  say(words("sent"));
  await refresh();
}

async function deliver(item, token) {
  const body = new URLSearchParams([...item.fields, ["token", token ?? ""], ["acted_at", item.at]]);
  let answer;
  try {
    answer = await fetch("/do", { method: "POST", body, headers: { Accept: "application/json" }, redirect: "error" });
  } catch {
    return { isAway: true };
  }
  if (answer.ok) return {};
  if (answer.status === 429 || answer.status >= 500) return { isAway: true, seconds: Number(answer.headers.get("Retry-After")) };
  const said = await answer.json().catch(() => undefined);
  return said ? { stale: said.stale, sentence: said.error } : { isAway: true };
}

/** The token of the present session, if it is one of the account. */
async function freshToken(account) {
  const answer = await fetch("/settings", { headers: { Accept: "text/html", "Daybook-Refresh": "1" } });
  const page = parsed(await answer.text()).documentElement.dataset;
  return page.account === account && !page.kept ? page.token : undefined;
}

/** Tries again later, after ever longer pauses. */
function again(seconds = 0) {
  clearTimeout(timer);
  timer = setTimeout(() => flush().catch(() => {}), Math.max(pause, (seconds || 0) * 1000) * (1 + Math.random() / 2));
  pause = Math.min(longestWait, pause * 2);
}

addEventListener("online", () => {
  pause = shortestWait;
  flush().catch(() => {});
});
flush().catch(() => {});
