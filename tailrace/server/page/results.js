// Results: a query's answers as they arrive: a relation as it is now or its changes, a stream's newest rows, a chart.

import { follow, get, named, post, remove } from "./api.js";
import { chart, instant, isNumber } from "./chart.js";
import { h, shown, short } from "./dom.js";

const KEPT = 3000; // rows for the chart and the list of changes
const ROWS = 200; // of the table
const OFTEN = 300; // milliseconds between two drawings
const ASKED_AGAIN = 3000; // milliseconds until it is asked again how the query is
const HEAD = { stream: 1, relation: 2 };

export class Results {
  constructor(place, gone, edit) {
    this.place = place;
    this.gone = gone;
    this.edit = edit;
    this.name = null;
    this.clear();
    place.append(h("p", { class: "card faint" }, "Choose a query on the left, or register one."));
  }

  clear() {
    this.columns = [];
    this.kind = "stream";
    this.rows = [];
    this.now = new Map();
    this.gap = 0;
    this.count = 0;
    this.picked = null;
    this.changes = false;
  }

  /** Follow a query; the one before is let go. */
  watch(name) {
    if (name === this.name) return;
    this.leave();
    this.name = name;
    this.clear();
    if (name === null) {
      this.place.replaceChildren(h("p", { class: "card faint" }, "Choose a query on the left, or register one."));
      return;
    }
    this.frame();
    this.following = follow(name, (kind, data) => this.take(kind, data), (state) => this.said(state));
  }

  leave() {
    clearInterval(this.asking);
    this.following?.close();
    this.following = null;
    this.name = null;
  }

  frame() {
    const button = (id, text, work, kind = "quiet") => h("button", { id, class: kind, onclick: () => work().catch((problem) => this.say(problem.message)) }, text);
    this.pauseButton = button("pause", "Pause", () => this.pause());
    this.state = h("span", { class: "faint", id: "state" });
    this.notice = h("p", { class: "default", hidden: true, id: "gap" });
    this.failure = h("p", { class: "problem", hidden: true, id: "failure" });
    this.text = h("pre", { class: "querytext" });
    this.graph = h("div", { id: "chart", class: "card", hidden: true });
    this.choices = h("div", { class: "row choices" });
    this.table = h("div", { id: "table", class: "card rows" });
    this.place.replaceChildren(
      h("div", { class: "card" },
        h("div", { class: "row" }, h("h1", {}, this.name), this.state, h("span", { class: "grow" }), this.pauseButton,
          button("again", "Edit a copy", async () => this.edit(this.text.textContent)),
          button("drop", "Drop", () => this.drop(), "danger")),
        this.text, this.failure, this.notice),
      this.graph, this.choices, this.table);
    this.draw();
    this.describe();
    this.asking = setInterval(() => this.describe(), ASKED_AGAIN);
  }

  async describe() {
    const query = await get(named(this.name)).catch(() => null);
    if (!query || query.name !== this.name) return;
    this.text.textContent = query.expanded;
    const failed = query.state === "quarantined";
    this.paused = failed || query.state === "paused";
    this.pauseButton.textContent = this.paused ? "Resume" : "Pause";
    this.pauseButton.hidden = query.rows === null && !failed;
    this.failure.hidden = !failed;
    this.failure.textContent = failed ? `Taken out of the run: ${query.failure}. Resume starts it anew.` : "";
    if (query.since) this.text.title = `since instant ${query.since}`;
  }

  async pause() {
    await post(`${named(this.name)}/${this.paused ? "resume" : "pause"}`);
    await this.describe();
    this.said("open");
  }

  async drop() {
    await remove(named(this.name));
    const name = this.name;
    this.watch(null);
    this.gone(name);
  }

  take(kind, data) {
    if (kind === "columns") {
      this.columns = data.columns;
      this.kind = data.kind;
    } else if (kind === "gap") {
      this.gap += data.rows;
      this.notice.hidden = false;
      this.notice.textContent = `${this.gap.toLocaleString("en")} earlier rows are no longer kept.`;
    } else if (kind === "rows") {
      this.count = data.first + data.rows.length - 1;
      for (const row of data.rows) this.add(row);
      if (this.rows.length > KEPT) this.rows.splice(0, this.rows.length - KEPT);
    } else if (kind === "end") {
      this.said("end");
    }
    this.later();
  }

  add(row) {
    this.rows.push(row);
    if (this.kind !== "relation") return;
    const key = JSON.stringify(row.slice(2));
    const known = this.now.get(key) || { row: row.slice(2), copies: 0 };
    known.copies += row[1] === "+" ? 1 : -1;
    if (known.copies === 0) this.now.delete(key);
    else this.now.set(key, known);
  }

  said(state) {
    const paused = this.paused ? "paused" : "live";
    this.connection = { open: paused, waiting: "the server does not answer; trying again", end: "dropped" }[state];
    this.later();
  }

  say(text) {
    this.notice.hidden = false;
    this.notice.textContent = text;
  }

  later() {
    if (this.drawing) return;
    this.drawing = setTimeout(() => {
      this.drawing = null;
      if (this.name !== null) this.draw();
    }, OFTEN);
  }

  draw() {
    this.state.textContent = [this.kind, this.count ? `${short(this.count)} rows so far` : "no rows yet", this.connection].filter(Boolean).join(" · ");
    this.drawChart();
    this.drawTable();
  }

  // Chart

  numeric() {
    return this.columns.slice(HEAD[this.kind]).filter((column) => isNumber(column.type)).map((column) => column.name);
  }

  drawChart() {
    const numeric = this.numeric();
    const value = numeric.includes(this.picked) ? this.picked : numeric[numeric.length - 1];
    const lines = value === undefined ? new Map() : this.lines(value);
    const drawn = chart(lines, value, typeof this.rows[0]?.[0] === "number");
    this.graph.hidden = !drawn;
    if (drawn) this.graph.replaceChildren(drawn);
    const pick = numeric.map((name) =>
      h("button", { class: name === value ? "quiet on" : "quiet", onclick: () => { this.picked = name; this.draw(); } }, name));
    const whole = this.kind === "relation" && !this.gap;
    const toggle = h("button", { class: "quiet", id: "changes", onclick: () => { this.changes = !this.changes; this.draw(); } },
      this.changes ? "Show the relation" : "Show its changes");
    this.choices.replaceChildren(...(numeric.length > 1 ? [h("span", { class: "faint" }, "chart of"), ...pick] : []),
      h("span", { class: "grow" }), whole ? toggle : "");
  }

  /** The points of a column, one line for each value of the other columns that tell rows apart. */
  lines(value) {
    const head = HEAD[this.kind];
    const at = this.columns.findIndex((column, place) => place >= head && column.name === value);
    const by = this.columns.findIndex((column, place) => place >= head && place !== at && !/^(DOUBLE|FLOAT|DECIMAL)/.test(column.type) && (!isNumber(column.type) || place < at));
    const lines = new Map();
    for (const row of this.rows) {
      if ((this.kind === "relation" && row[1] !== "+") || row[at] === null) continue;
      const name = by < 0 ? value : row[by];
      if (!lines.has(name)) lines.set(name, []);
      lines.get(name).push([instant(row[0]), Number(row[at])]);
    }
    return new Map([...lines].sort(([one], [other]) => (one < other ? -1 : 1)));
  }

  // Table

  drawTable() {
    const whole = this.kind === "relation" && !this.changes && !this.gap;
    const columns = whole ? this.columns.slice(2) : this.columns;
    const all = whole
      ? [...this.now.values()].flatMap(({ row, copies }) => Array(Math.max(0, copies)).fill(row))
      : this.rows.slice(-ROWS).reverse();
    if (whole) all.sort(compare);
    const rows = all.slice(0, ROWS).map((row) => h("tr", { class: whole ? "" : row[1] === "-" && this.kind === "relation" ? "minus" : "" },
      row.map((value, place) => h("td", { class: isNumber(columns[place]?.type || "") ? "number" : value === null ? "null" : "" }, shown(value)))));
    const title = whole ? `now ${all.length.toLocaleString("en")} ${all.length === 1 ? "row" : "rows"}` : "newest first";
    const head = h("tr", {}, columns.map(({ name, type }) => h("th", { class: isNumber(type) ? "number" : "" }, name)));
    this.table.replaceChildren(h("p", { class: "faint" }, title), h("table", {}, h("thead", {}, head), h("tbody", {}, rows)));
  }
}

function compare(one, other) {
  for (let at = 0; at < one.length; at++) {
    if (one[at] === other[at]) continue;
    if (one[at] === null) return -1;
    if (other[at] === null) return 1;
    return one[at] < other[at] ? -1 : 1;
  }
  return 0;
}
