// Sends forms without loading the page anew. What cannot be sent waits, and is sent later.
import { freshID, keep } from "./queue.js";
import { hold, say, show, words } from "./screen.js";

const sending = new WeakSet();

document.addEventListener("submit", event => {
  const form = event.target;
  if (event.defaultPrevented || !form.matches("form[method=post][action='/do']")) return;
  event.preventDefault();
  send(form, new URLSearchParams(new FormData(form, event.submitter)), event.submitter);
});

/**
 * Sends a form once: its id makes a repetition harmless.
 *
 * Returns whether it was sent, or waits to be.
 */
export async function send(form, fields, button) {
  if (sending.has(form)) return false;
  sending.add(form);
  const release = hold();
  const wasDone = doneCards();
  // The queue finds a form by its id, so a form without one gets one before it is first sent.
  if (!fields.get("id")) fields.set("id", freshID());
  try {
    const answer = await show("/do", { request: { method: "POST", body: fields }, replace: true });
    const isOut = answer?.redirected && new URL(answer.url).pathname === "/enter";
    if (!answer || isOut) return await wait(form, fields, button);
    if (answer.ok && form.isConnected) form.reset();
    for (const card of doneCards().values()) if (!wasDone.has(card.dataset.habit)) card.classList.add("just-done");
    return answer.ok;
  } finally {
    sending.delete(form);
    // What is done with the form next is something else, also if no fresh screen came.
    form.querySelector("[type=hidden][name=id]")?.setAttribute("value", freshID());
    release();
  }
}

async function wait(form, fields, button) {
  try {
    await keep(form, fields, button);
  } catch {
    // A browser that keeps nothing sends it itself, and says that there is no network.
    for (const [name, value] of fields) {
      form.querySelector(`[type=hidden][name="${CSS.escape(name)}"]`)?.remove();
      form.append(Object.assign(document.createElement("input"), { type: "hidden", name, value }));
    }
    HTMLFormElement.prototype.submit.call(form);
    return false;
  }
  if (form.isConnected) form.reset();
  say(words("queued"));
  return true;
}

const doneCards = () => new Map([...document.querySelectorAll(".card.is-done")].map(card => [card.dataset.habit, card]));
