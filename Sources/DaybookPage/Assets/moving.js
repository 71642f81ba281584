// Moves tasks by dragging, and by Alt and an arrow key. Each task's own screen has a form that does the same (DM-1, DM-14).
import { send } from "./forms.js";
import { hold, whenShown } from "./screen.js";

const taskAt = node => node.closest?.(".buckets .task");
const isTop = task => !task.dataset.parent;
const siblings = task => [...task.parentElement.children].filter(other => other.dataset.parent === task.dataset.parent);

/** Sends the form that moves a task. */
function move(task, place) {
  const form = document.getElementById("move");
  if (!form || !task) return;
  const fields = new URLSearchParams(new FormData(form));
  fields.set("task", task.dataset.key);
  for (const [name, value] of Object.entries(place)) if (value) fields.set(name, value);
  // What waits for a connection is told by the task's title.
  const button = document.createElement("button");
  button.textContent = `${document.getElementById("move-help")?.dataset.name ?? ""} ${task.querySelector(".title").textContent}`.trim();
  send(form, fields, button);
}

// MARK: By keyboard

document.addEventListener("keydown", event => {
  const task = taskAt(event.target);
  if (!task || !event.altKey || event.ctrlKey || event.metaKey || !event.key.startsWith("Arrow")) return;
  const isReversed = getComputedStyle(document.documentElement).direction === "rtl";
  if (event.key === "ArrowUp" || event.key === "ArrowDown") {
    event.preventDefault();
    const all = siblings(task), place = all.indexOf(task);
    if (event.key === "ArrowUp" && place > 0) move(task, { before: all[place - 1].dataset.key });
    if (event.key === "ArrowDown" && place < all.length - 1) move(task, { after: all[place + 1].dataset.key });
  } else if (isTop(task)) {
    event.preventDefault();
    const buckets = [...document.querySelectorAll(".bucket")];
    const step = (event.key === "ArrowRight") === isReversed ? -1 : 1;
    const bucket = buckets[buckets.indexOf(task.closest(".bucket")) + step];
    if (bucket) move(task, { bucket_key: bucket.dataset.bucket });
  }
});

// MARK: By dragging

let dragged, release, target;

whenShown(() => {
  if (!document.getElementById("move")) return;
  for (const task of document.querySelectorAll(".buckets .task")) task.draggable = isTop(task);
});

document.addEventListener("dragstart", event => {
  const task = taskAt(event.target);
  if (!task?.draggable) return;
  dragged = task;
  release = hold();
  event.dataTransfer.effectAllowed = "move";
  event.dataTransfer.setData("text/plain", task.querySelector(".title").textContent);
  task.classList.add("dragged");
});

document.addEventListener("dragover", event => {
  const bucket = dragged && event.target.closest?.(".bucket");
  if (!bucket) return mark();
  event.preventDefault();
  event.dataTransfer.dropEffect = "move";
  const tops = [...bucket.querySelectorAll(".task")].filter(task => isTop(task) && task !== dragged);
  const next = tops.find(task => {
    const { top, height } = task.getBoundingClientRect();
    return event.clientY < top + height / 2;
  });
  mark(bucket, next);
});

document.addEventListener("drop", event => {
  if (!dragged || !target) return;
  event.preventDefault();
  const { bucket, next } = target;
  move(dragged, { bucket_key: bucket.dataset.bucket, before: next?.dataset.key });
});

document.addEventListener("dragend", () => {
  if (!dragged) return;
  dragged.classList.remove("dragged");
  mark();
  dragged = undefined;
  release();
});

/** Shows where a dragged task would go. */
function mark(bucket, next) {
  for (const old of document.querySelectorAll(".drop, .drop-before")) old.classList.remove("drop", "drop-before");
  target = bucket && { bucket, next };
  bucket?.classList.add("drop");
  next?.classList.add("drop-before");
}
