"use strict";
// Draws the figures that the page holds as data, in the colours of the reader's choice.
const figures = JSON.parse(document.getElementById("figures").textContent);
const dark = window.matchMedia("(prefers-color-scheme: dark)");
const canvas = document.createElement("canvas");
const hasWebGL = Boolean(canvas.getContext("webgl2") || canvas.getContext("webgl"));

function colours(isDark) {
  const ink = isDark ? "#e8ecf0" : "#1b1f24";
  const line = isDark ? "#3a434d" : "#d0d7de";
  const paper = isDark ? "#14181d" : "#ffffff";
  const changes = {"paper_bgcolor": paper, "plot_bgcolor": paper, "font.color": ink, "hoverlabel.font.size": 14};
  for (const axis of ["xaxis", "yaxis"]) {
    changes[`${axis}.gridcolor`] = line;
    changes[`${axis}.linecolor`] = line;
  }
  return changes;
}

function recolour(isDark) {
  for (const id of Object.keys(figures)) Plotly.relayout(id, colours(isDark));
}

const drawings = Object.entries(figures).map(([id, figure]) => {
  if (!hasWebGL) {
    for (const trace of figure.data) if (trace.type === "scattergl") trace.type = "scatter";
  }
  const config = {responsive: true, displaylogo: false, modeBarButtonsToRemove: ["lasso2d", "select2d"]};
  return Plotly.newPlot(id, figure.data, figure.layout, config);
});
Promise.all(drawings).then(() => {
  recolour(dark.matches);
  document.documentElement.dataset.drawn = "yes";
});
dark.addEventListener("change", () => recolour(dark.matches));
window.addEventListener("beforeprint", () => {
  for (const details of document.querySelectorAll("details")) details.open = true;
  recolour(false);
});
window.addEventListener("afterprint", () => recolour(dark.matches));
