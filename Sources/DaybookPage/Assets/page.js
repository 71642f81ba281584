// What makes the page quicker. Without it every screen reads and records all the same.
import "./drop.js";
import "./feel.js";
import "./forms.js";
import "./live.js";
import "./moving.js";
import "./offline.js";
import "./palette.js";
import "./paste.js";
import "./pour.js";
import { show, showSlider } from "./screen.js";
import { Slider } from "./slider.js";
import "./wall.js";
import "./zone.js";

document.documentElement.classList.add("scripted");
showSlider(new Slider(show));
addEventListener("popstate", () => show(location.href, { push: false }));
