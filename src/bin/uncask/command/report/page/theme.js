"use strict";
// Light or dark: as the system says, until the button is used.

const systemIsDark = matchMedia("(prefers-color-scheme: dark)");

function showTheme(dark) {
  document.documentElement.dataset.theme = dark ? "dark" : "light";
  document.getElementById("theme").setAttribute("aria-pressed", String(dark));
}

showTheme(systemIsDark.matches);
systemIsDark.addEventListener("change", (event) => showTheme(event.matches));
document.getElementById("theme").addEventListener("click", () =>
  showTheme(document.documentElement.dataset.theme !== "dark"));
