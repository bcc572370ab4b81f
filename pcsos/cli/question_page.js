"use strict";
// Keys press the buttons, and whoever has pressed one sees that the next question is being chosen.
const form = document.forms[0];
if (form) {
  const buttons = [...form.querySelectorAll("button")];
  document.documentElement.classList.add("scripted");

  form.addEventListener("submit", (event) => {
    const begun = Date.now();
    const seconds = form.querySelector(".seconds");
    document.body.classList.add("waiting");
    event.submitter?.classList.add("pressed");
    setTimeout(() => buttons.forEach((button) => { button.disabled = true; }));  // what is disabled is not sent
    setInterval(() => { seconds.textContent = `, ${Math.round((Date.now() - begun) / 1000)} s`; }, 1000);
  });

  document.addEventListener("keydown", (event) => {
    const key = event.key.toLowerCase();
    const isHeld = event.ctrlKey || event.metaKey;
    const isUndo = key === "z" && isHeld && !event.shiftKey && !event.altKey;
    if (event.repeat || (!isUndo && (isHeld || event.altKey || !["y", "n", "u", "b"].includes(key)))) return;
    const button = buttons.find((each) => each.value === (isUndo ? "b" : key));
    event.preventDefault();
    if (!button.disabled && !document.body.classList.contains("waiting")) form.requestSubmit(button);
  });

  // A page that the browser has kept shows an earlier question.
  window.addEventListener("pageshow", (event) => { if (event.persisted) location.reload(); });
}
