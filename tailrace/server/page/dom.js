// Dom: elements made in one call, and figures as people read them. Text is only ever set as text.

const SVG = "http://www.w3.org/2000/svg";

/** An element with attributes, listeners (on…) and children; nothing is parsed as HTML. */
export function h(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

/** The same for SVG. */
export function s(tag, attributes = {}, ...children) {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

/** 1234567 as 1.2M. */
export function short(number) {
  if (number === null || number === undefined) return "–";
  const size = Math.abs(number);
  for (const [unit, least] of [["G", 1e9], ["M", 1e6], ["k", 1e3]]) {
    if (size >= least) return `${trim(number / least)}${unit}`;
  }
  return trim(number);
}

function trim(number) {
  return Math.abs(number) >= 100 || Number.isInteger(number) ? String(Math.round(number)) : number.toFixed(1);
}

export function bytes(number) {
  return `${short(number)}B`;
}

export function seconds(number) {
  if (number < 0.001) return `${Math.round(number * 1e6)} µs`;
  if (number < 1) return `${Math.round(number * 1000)} ms`;
  return number < 90 ? `${number.toFixed(1)} s` : `${Math.round(number / 60)} min`;
}

export function percent(part) {
  if (part === null || part === undefined) return "–";
  const value = part * 100;
  return `${value !== 0 && value < 1 ? value.toPrecision(1) : Math.round(value)} %`;
}

/** A value of a result as text. */
export function shown(value) {
  if (value === null || value === undefined) return "NULL";
  if (typeof value === "number" && !Number.isInteger(value)) return String(Number(value.toPrecision(9)));
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}
