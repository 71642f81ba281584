// The slider through time. Without this script its form and its links lead to the same addresses.

const dayAt = (last, back) => new Date(Date.parse(last) - back * 86_400_000).toISOString().slice(0, 10);
const handles = "[data-slider] input[type=range]";

/** The address of this screen as of the day under the first handle, about the day under the second. */
function target(form) {
  const address = new URL(form.getAttribute("action"), location);
  for (const field of form.querySelectorAll("input[type=hidden]")) address.searchParams.append(field.name, field.value);
  const back = Number(form.elements.back.value), about = Number(form.elements.on_back?.value ?? back);
  // An instant stays what it is, unless the handle was moved to another day.
  if (form.elements.back.value !== form.dataset.back) {
    address.searchParams.delete("as_of");
    if (back > 0) address.searchParams.set("as_of", dayAt(form.dataset.last, back));
  }
  if (!address.searchParams.has("as_of")) address.searchParams.delete("beside");
  if (about > back) address.searchParams.set("on", dayAt(form.dataset.last, about));
  return address.pathname + address.search;
}

export class Slider {
  /** `show(address, options)` fetches a screen and shows it in place of the present one. */
  constructor(show) {
    document.addEventListener("input", event => {
      const form = event.target.closest?.("[data-slider]");
      if (form) show(target(form), { replace: true });
    });
    document.addEventListener("keydown", event => {
      if (!event.target.matches?.(handles)) return;
      // A page is a week: up is later. With Shift an arrow leads to the next entry.
      const days = { PageUp: -7, PageDown: 7 }[event.key];
      const step = event.shiftKey && { ArrowLeft: "before", ArrowDown: "before", ArrowRight: "after", ArrowUp: "after" }[event.key];
      if (!days && !step) return;
      event.preventDefault();
      if (step) {
        const link = document.querySelector(`.slider [data-step="${step}"]`);
        if (link) show(link.href, { replace: true });
        return;
      }
      event.target.value = Number(event.target.value) + days;
      event.target.dispatchEvent(new Event("input", { bubbles: true }));
    });
    document.addEventListener("submit", event => {
      if (!event.target.matches("[data-slider]")) return;
      event.preventDefault();
      show(target(event.target));
    });
    document.addEventListener("click", event => {
      const day = event.target.closest?.(".year [data-day]");
      if (day) {
        const address = new URL(location);
        address.searchParams.set("on", day.dataset.day);
        address.searchParams.delete("whatif");
        return show(address.pathname + address.search);
      }
      const link = event.target.closest?.("[data-copy]");
      if (link && !event.ctrlKey && !event.metaKey && !event.shiftKey) copy(link, event);
    });
  }

  /** The handle that has the focus, if one has it. */
  get handle() {
    const active = document.activeElement;
    return active?.matches(handles) ? active : null;
  }

  /** Whether a handle has the focus. */
  get isHeld() { return this.handle !== null; }

  /** Replaces the slider by a new one, if a handle is held: the handle stays, and all else is new. */
  replace(old, fresh) {
    const handle = this.handle;
    const next = handle && fresh?.querySelector(`#${handle.id}`);
    if (!old || !next) return false;
    for (const name of ["max", "aria-valuetext"]) handle.setAttribute(name, next.getAttribute(name));
    handle.value = next.value;
    const open = [...old.querySelectorAll("details[open]")].map(one => one.className);
    next.replaceWith(handle);
    old.replaceWith(fresh);
    for (const name of open) fresh.querySelector(`details.${name}`)?.setAttribute("open", "");
    handle.focus();
    return true;
  }
}

/** Copies the address of a link, and says so. Where that is not allowed, the link leads there. */
async function copy(link, event) {
  if (!navigator.clipboard) return;
  event.preventDefault();
  try {
    await navigator.clipboard.writeText(link.href);
  } catch {
    location.assign(link.href);
    return;
  }
  const said = Object.assign(document.createElement("span"), { className: "soft", role: "status", textContent: ` ${link.dataset.copied}` });
  link.parentElement.querySelector("[role=status]")?.remove();
  link.after(said);
}
