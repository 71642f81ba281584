// Offers the browser's own time zone where a form asks for one. Without it one types the zone's name.
const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
for (const field of document.querySelectorAll("[data-zone]")) {
  if (!zone || field.value === zone) continue;
  const button = document.createElement("button");
  button.type = "button";
  button.className = "quiet";
  button.textContent = `${field.dataset.zoneLabel} ${zone}`;
  button.addEventListener("click", () => {
    field.value = zone;
    field.focus();
    button.remove();
  });
  field.closest("label").after(button);
}
