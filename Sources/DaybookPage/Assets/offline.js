// Starts the worker that keeps what was seen, and says when what is shown is no longer the present (MO-10, HH-26).
import { flush } from "./queue.js";
import { facts, refresh, scriptAddress, whenShown, words } from "./screen.js";
import { moment } from "./waiting.js";

if (facts.account) navigator.serviceWorker?.register(scriptAddress("/sw.js")).catch(() => {});

const firstPause = 3000;
let timer;

whenShown(() => {
  clearTimeout(timer);
  document.getElementById("kept")?.remove();
  if (!facts.kept) return;
  const note = Object.assign(document.createElement("p"), {
    id: "kept", className: "note", textContent: words("kept", { moment: moment(facts.kept) }),
  });
  note.setAttribute("role", "status");
  document.querySelector("main").before(note);
  timer = setTimeout(look, firstPause);
});

/** Looks whether there is a connection again. */
async function look() {
  clearTimeout(timer);
  if (!facts.kept) return;
  await refresh();
  if (!facts.kept) return flush();
  timer = setTimeout(look, 3 * firstPause);
}

addEventListener("online", look);
