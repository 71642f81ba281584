// Offers the browser's own time zone where a form asks for one. Without it one types the zone's name.
import { whenShown } from "./screen.js";

const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;

whenShown(() => {
  for (const field of document.querySelectorAll("[data-zone]")) {
    const label = field.closest("label");
    if (!zone || field.value === zone || label.nextElementSibling?.matches("[data-zone-offer]")) continue;
    const button = document.createElement("button");
    button.type = "button";
    button.className = "quiet";
    button.dataset.zoneOffer = "yes";
    button.textContent = `${field.dataset.zoneLabel} ${zone}`;
    button.addEventListener("click", () => {
      field.value = zone;
      field.focus();
      button.remove();
    });
    label.after(button);
  }
});
