// Shows changes that were made elsewhere, within a second.
import { flush } from "./queue.js";
import { facts, refresh, show } from "./screen.js";

const channel = "BroadcastChannel" in globalThis ? new BroadcastChannel("daybook") : undefined;
const longestWait = 60_000;
let wait = 1000, newest = 0, isWaiting = false;

// One tab listens for all tabs: a browser opens few connections to a server. Another one takes over when it is closed.
if (facts.account && "EventSource" in globalThis) {
  if (navigator.locks) navigator.locks.request("daybook-live", () => new Promise(() => listen()));
  else listen();
}
// Whoever signed out in another tab is signed out in this one, too.
if (!facts.account) channel?.postMessage({ isOut: true });

channel?.addEventListener("message", ({ data }) => {
  if (data.isOut) { if (facts.account) show(location.href, { replace: true }); }
  else changed(data.position);
});

function listen() {
  const stream = new EventSource("/changes");
  stream.addEventListener("open", () => {
    wait = 1000;
    flush().catch(() => {});
  });
  stream.addEventListener("message", ({ data }) => {
    channel?.postMessage({ position: data });
    changed(data);
  });
  stream.addEventListener("error", () => {
    // A browser connects again by itself, unless the server refused.
    if (stream.readyState !== EventSource.CLOSED) return;
    setTimeout(listen, wait * (1 + Math.random()));
    wait = Math.min(longestWait, wait * 2);
  });
}

/** Shows the screen again if it does not know a change yet, at most twice a second. */
async function changed(position) {
  newest = Math.max(newest, Number(position) || 0);
  if (isWaiting || newest <= Number(facts.position)) return;
  isWaiting = true;
  const known = newest;
  await refresh();
  setTimeout(() => {
    isWaiting = false;
    if (newest > known) changed(newest);
  }, 500);
}
