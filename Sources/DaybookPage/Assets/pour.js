// While a counter's button is held, honey pours: one more every so often, up to the target, and then it is recorded (HH-31).
import { send } from "./forms.js";
import { hold } from "./screen.js";

let pour;

document.addEventListener("pointerdown", event => {
  const form = event.target.closest?.("[data-pour]");
  if (!form || event.button !== 0) return;
  const target = Number(form.dataset.target);
  pour = { form, value: Number(form.dataset.value), poured: 0, release: hold() };
  pour.timer = setInterval(() => {
    if (pour.value >= target) return;
    pour.value = Math.min(target, pour.value + Math.max(1, Math.round(target / 20)));
    pour.poured += 1;
    form.closest(".card")?.querySelector(".value")?.firstElementChild?.nextSibling?.replaceWith(String(pour.value));
  }, 140);
});

for (const name of ["pointerup", "pointercancel"]) {
  document.addEventListener(name, () => {
    if (!pour) return;
    clearInterval(pour.timer);
    const { form, value, poured, release } = pour;
    pour = undefined;
    release();
    if (poured === 0) return;
    form.addEventListener("click", event => event.preventDefault(), { once: true, capture: true });
    const fields = new URLSearchParams(new FormData(form));
    fields.set("value", String(value));
    send(form, fields, form.querySelector("button"));
  });
}
