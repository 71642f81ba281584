// The slider through time. Without this script its form and its links lead to the same addresses.

const dayAt = (last, back) => new Date(Date.parse(last) - back * 86_400_000).toISOString().slice(0, 10);

/** The address of this screen as of the day under the handle. */
function target(form) {
  const address = new URL(form.getAttribute("action"), location);
  for (const field of form.querySelectorAll("input[type=hidden]")) address.searchParams.append(field.name, field.value);
  const back = Number(form.elements.back.value);
  if (back > 0) address.searchParams.set("as_of", dayAt(form.dataset.last, back));
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
      if (event.target.id !== "back" || !["PageUp", "PageDown"].includes(event.key)) return;
      // A page is a week: up is later.
      event.preventDefault();
      event.target.value = Number(event.target.value) + (event.key === "PageUp" ? -7 : 7);
      event.target.dispatchEvent(new Event("input", { bubbles: true }));
    });
    document.addEventListener("submit", event => {
      if (!event.target.matches("[data-slider]")) return;
      event.preventDefault();
      show(target(event.target));
    });
  }

  /** The handle that has the focus, if one has it. */
  get handle() {
    const active = document.activeElement;
    return active?.matches("[data-slider] input[type=range]") ? active : null;
  }

  /** Whether a handle has the focus. */
  get isHeld() { return this.handle !== null; }

  /** Replaces the slider by a new one, if a handle is held: the handle stays where it is, and all else is new. */
  replace(old, fresh) {
    const handle = this.handle;
    const next = handle && fresh?.querySelector(`#${CSS.escape(handle.id)}`);
    if (!old || !next) return false;
    handle.setAttribute("aria-valuetext", next.getAttribute("aria-valuetext"));
    next.replaceWith(handle);
    old.replaceWith(fresh);
    handle.focus();
    return true;
  }
}
