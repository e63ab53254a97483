// Drawing: a plan as SVG. Operators that several queries use are coloured by how many.

import { percent, s, seconds, short } from "./dom.js";
import { layout } from "./layout.js";

const SIZE = { width: 172, height: 74, gapX: 32, gapY: 14 };
const LETTERS = 24; // of a line in a box
const EDGE = 6;
const LEAST = 0.7; // of its size, before a drawing is scrolled

/** The drawing of nodes; `update` shows other figures of the same nodes, `choose` marks one. */
export function drawing(nodes, chosen = () => {}) {
  const found = layout(nodes, SIZE);
  const boxes = new Map(nodes.map((node) => [node.id, box(node, found.cells.get(node.id), chosen)]));
  const lines = found.edges.map((edge) => ({ ...edge, element: s("path", { class: "edge", d: curve(edge.points) }) }));
  const view = [-EDGE, -EDGE, found.width + 2 * EDGE, found.height + 2 * EDGE];
  const element = s("svg", { class: "plan", viewBox: view.join(" "), role: "img", "aria-label": "The plan" },
    lines.map((line) => line.element), [...boxes.values()].map((each) => each.element));
  element.style.minWidth = `${Math.round(view[2] * LEAST)}px`;
  element.style.maxWidth = `${view[2]}px`;
  const update = (fresh) => {
    const byId = new Map(fresh.map((node) => [node.id, node]));
    for (const [id, each] of boxes) figures(byId.get(id)).forEach((text, line) => (each.figures[line].textContent = text));
    for (const line of lines) line.element.classList.toggle("flowing", flows(byId.get(line.from)));
  };
  const choose = (id) => boxes.forEach((each, other) => each.element.classList.toggle("chosen", other === id));
  update(nodes);
  return { element, update, choose };
}

function box(node, cell, chosen) {
  const uses = Math.min(5, node.uses);
  const kind = node.operator === "output" ? "output" : node.inputs.length ? `uses${uses}` : `source uses${uses}`;
  const figure = [51, 65].map((y) => s("text", { class: "figure", x: 12, y }));
  const open = () => chosen(node.id);
  const element = s("g", {
    class: `box ${kind}`, transform: `translate(${cell.x} ${cell.y})`, tabindex: "0", role: "button", "data-id": node.id,
    onclick: open, onkeydown: (event) => event.key === "Enter" && open() },
    s("title", {}, `${node.operator} ${node.detail}`.trim()),
    s("rect", { width: SIZE.width, height: SIZE.height, rx: node.operator === "output" ? 22 : 9 }),
    s("text", { class: "operator", x: 12, y: 20 }, cut(node.operator, 20)),
    node.uses > 1 ? s("text", { class: "uses", x: SIZE.width - 12, y: 20, "text-anchor": "end" }, `×${short(node.uses)}`) : null,
    s("text", { class: "detail", x: 12, y: 35 }, cut(node.detail, LETTERS)),
    figure);
  return { element, figures: figure };
}

/** Two lines: what passes, and what is kept and spent. */
function figures(node) {
  if (node?.rows !== null && node?.rows !== undefined) return [`${short(node.rows)} rows`, node.rate ? `${short(node.rate)}/s` : ""];
  const found = node?.measured;
  if (!found) return ["", ""];
  const passing = [`${short(found.rate_out)}/s`];
  if (found.selectivity !== null && node.operator !== "input") passing.push(percent(found.selectivity));
  const kept = found.state_rows ? [`${short(found.state_rows)} in state`] : [];
  if (found.seconds) kept.push(seconds(found.seconds));
  return [passing.join(" · "), kept.join(" · ")];
}

const flows = (node) => Boolean(node && (node.measured?.rate_out || node.rate));

function cut(text, most) {
  return text.length > most ? `${text.slice(0, most - 1)}…` : text;
}

function curve(points) {
  let path = `M${points[0].join(" ")}`;
  for (let at = 1; at < points.length; at++) {
    const [[x, y], [nextX, nextY]] = [points[at - 1], points[at]];
    const half = (x + nextX) / 2;
    path += y === nextY ? `L${nextX} ${nextY}` : `C${half} ${y} ${half} ${nextY} ${nextX} ${nextY}`;
  }
  return path;
}
