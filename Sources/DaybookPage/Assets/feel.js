// Celebrates what was reached, once: a milestone of a streak, and a day of a hive that all completed (HH-31).
import { whenShown } from "./screen.js";

const name = "daybook-celebrated", mostKept = 100;

/** Whether something is celebrated for the first time in this browser. One that keeps nothing celebrates nothing. */
function isNew(key) {
  try {
    const known = JSON.parse(localStorage.getItem(name) ?? "[]");
    if (known.includes(key)) return false;
    localStorage.setItem(name, JSON.stringify([...known, key].slice(-mostKept)));
    return true;
  } catch {
    return false;
  }
}

whenShown(() => {
  for (const one of document.querySelectorAll("[data-celebrate]")) {
    if (isNew(one.dataset.celebrate)) one.classList.add("celebrated");
  }
});
