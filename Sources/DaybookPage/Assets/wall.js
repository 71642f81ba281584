// Keeps the screen of a tablet on the wall on, where the browser allows it, and shows the new day when it begins.
import { refresh } from "./screen.js";

const minutesBetweenLooks = 5;
let lock;

async function stayOn() {
  if (document.hidden || !("wakeLock" in navigator) || (lock && !lock.released)) return;
  // A battery that is low, say, forbids it; then the screen goes off as always.
  lock = await navigator.wakeLock.request("screen").catch(() => undefined);
}

if (document.documentElement.dataset.wall) {
  stayOn();
  document.addEventListener("visibilitychange", stayOn);
  document.addEventListener("pointerdown", stayOn);
  setInterval(refresh, minutesBetweenLooks * 60_000);
}
