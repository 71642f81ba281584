// What makes the page quicker. Without it every screen reads and records all the same.
import "./drop.js";
import "./feel.js";
import "./forms.js";
import "./live.js";
import "./moving.js";
import "./offline.js";
import "./palette.js";
import "./pour.js";
import { show, showSlider, whenShown } from "./screen.js";
import { Slider } from "./slider.js";
import "./wall.js";
import "./zone.js";

document.documentElement.classList.add("scripted");
showSlider(new Slider(show));
addEventListener("popstate", () => show(location.href, { push: false }));

// On a narrow screen the places are a line that scrolls: the present one is to be seen.
whenShown(() => {
  for (const place of document.querySelectorAll("nav [aria-current]")) {
    const { left, right } = place.getBoundingClientRect(), line = place.parentElement.getBoundingClientRect();
    if (left < line.left || right > line.right) place.parentElement.scrollLeft += left - line.left - (line.width - (right - left)) / 2;
  }
});
