// Chart: lines over time, drawn as SVG.

import { h, s, shown, short } from "./dom.js";

const [WIDTH, HEIGHT, LEFT, BOTTOM, TOP, RIGHT] = [900, 240, 52, 24, 12, 12];
const SERIES = 8;
const NUMBERS = /^(TINYINT|SMALLINT|INT|BIGINT|FLOAT|DOUBLE|DECIMAL)/;

export const isNumber = (type) => NUMBERS.test(type);

/** A moment or a number of ticks as a number. */
export function instant(value) {
  return typeof value === "number" ? value : Date.parse(`${String(value).replace(" ", "T")}Z`);
}

/** Lines: a Map of names to points [x, y], of which the first few are drawn. */
export function chart(lines, label, inTicks) {
  const drawn = [...lines].slice(0, SERIES);
  const points = drawn.flatMap(([, line]) => line);
  if (points.length < 2) return null;
  const x = scale(points.map((point) => point[0]), LEFT, WIDTH - RIGHT);
  const y = scale(nice(points.map((point) => point[1])), HEIGHT - BOTTOM, TOP);
  const marks = ticks(y.least, y.most, 4);
  const picture = s("svg", { class: "chart", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": `${label} over time` },
    marks.map((mark) => [
      s("line", { class: "grid", x1: LEFT, x2: WIDTH - RIGHT, y1: y(mark), y2: y(mark) }),
      s("text", { class: "tick", x: LEFT - 8, y: y(mark) + 4, "text-anchor": "end" }, short(mark))]).flat(),
    times(x, inTicks).map(([at, text]) => s("text", { class: "tick", x: x(at), y: HEIGHT - 6, "text-anchor": "middle" }, text)),
    drawn.map(([name, line], at) =>
      s("path", { class: `line series${at}`, d: path(line, x, y) }, s("title", {}, String(name)))));
  const names = drawn.length > 1 ? drawn.map(([name], at) => h("span", { class: `key series${at}` }, shown(name))) : [];
  const more = lines.size > SERIES ? h("span", { class: "faint" }, `and ${lines.size - SERIES} more`) : null;
  return h("figure", {}, h("figcaption", {}, h("strong", {}, label), names, more), picture);
}

/** A small line without axes. */
export function spark(numbers) {
  const x = scale([0, numbers.length - 1], 0, 150);
  const y = scale([0, ...numbers], 26, 3);
  const line = numbers.map((number, at) => [at, number]);
  return s("svg", { class: "spark", viewBox: "0 0 150 28", width: 150, height: 28 },
    s("path", { class: "line series0", d: path(line, x, y) }), s("title", {}, `${short(Math.min(...numbers))} to ${short(Math.max(...numbers))}`));
}

function scale(values, from, to) {
  let least = Infinity;
  let most = -Infinity;
  for (const value of values) {
    if (value < least) least = value;
    if (value > most) most = value;
  }
  if (least === most) [least, most] = [least - 1, most + 1];
  const place = (value) => Math.round((from + ((value - least) / (most - least)) * (to - from)) * 10) / 10;
  return Object.assign(place, { least, most });
}

/** With zero where it is near. */
function nice(values) {
  const least = Math.min(...values);
  const most = Math.max(...values);
  const room = (most - least) * 0.08 || 1;
  return least >= 0 && least < most / 2 ? [0, most + room] : [least - room, most + room];
}

function ticks(least, most, count) {
  const rough = (most - least) / count;
  const unit = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((each) => each * unit).find((each) => each >= rough);
  const found = [];
  for (let at = Math.ceil(least / step) * step; at <= most; at += step) found.push(Number(at.toPrecision(12)));
  return found;
}

function times(x, inTicks) {
  return [0.04, 0.35, 0.66, 0.96].map((part) => {
    const at = x.least + part * (x.most - x.least);
    return [at, inTicks ? String(Math.round(at)) : new Date(at).toISOString().slice(11, 19)];
  });
}

function path(line, x, y) {
  return line.map(([at, value], number) => `${number ? "L" : "M"}${x(at)} ${y(value)}`).join("");
}
