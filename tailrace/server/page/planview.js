// Plan view: the merged plan of all queries, alive; a click opens an operator, settings change beside it.

import { get, put } from "./api.js";
import { spark } from "./chart.js";
import { bytes, h, percent, seconds, short } from "./dom.js";
import { drawing } from "./drawing.js";

export class PlanView {
  constructor(place) {
    this.shape = "";
    this.open = null;
    this.nodes = [];
    this.picture = h("div", { id: "picture", class: "card picture" });
    this.figures = h("div");
    this.own = h("div", { class: "settings own" });
    this.details = h("aside", { id: "details", class: "card details", hidden: true }, this.figures, this.own);
    this.settings = h("div", { class: "card settings", id: "settings" });
    const legend = [1, 2, 3, 4, 5].map((uses) => h("span", { class: `legend uses${uses}` }, uses === 5 ? "5 or more" : String(uses)));
    this.legend = h("p", { class: "faint legends" }, "queries that use an operator:", legend);
    place.append(this.settings, h("div", { class: "planned" }, h("div", { class: "grow" }, this.picture, this.legend), this.details));
  }

  async refresh(catalog) {
    const { operators } = await get("plan");
    const rates = new Map([...catalog.streams, ...catalog.relations].map((each) => [`source ${each.name}`, each.rate]));
    const results = new Map(catalog.queries.map((each) => [`output ${each.name}`, each]));
    this.nodes = operators.map((node) => {
      const query = results.get(node.id);
      return query ? { ...node, rows: query.rows, rate: query.rate } : { ...node, rate: rates.get(node.id) };
    });
    const shape = JSON.stringify(operators.map((node) => [node.id, node.inputs, node.detail, node.uses]));
    if (shape !== this.shape) this.draw(shape);
    else this.drawn?.update(this.nodes);
    this.show();
  }

  draw(shape) {
    this.shape = shape;
    if (!this.nodes.length) {
      this.drawn = null;
      this.picture.replaceChildren(h("p", { class: "faint" }, "No query runs yet."));
      return;
    }
    this.drawn = drawing(this.nodes, (id) => this.choose(id));
    this.picture.replaceChildren(this.drawn.element);
  }

  choose(id) {
    this.open = this.opened()?.id === id ? null : this.nodes.find((each) => each.id === id);
    this.show();
    this.showOwn().catch(() => {});
  }

  /** The node that is open; in another plan it may have another number. */
  opened() {
    const same = this.nodes.filter((each) => this.open?.operator === each.operator && this.open.detail === each.detail);
    return same.find((each) => each.id === this.open.id) || same[0];
  }

  show() {
    const node = this.opened();
    this.drawn?.choose(node ? node.id : null);
    this.details.hidden = !node;
    if (node) this.figures.replaceChildren(...this.about(node));
  }

  about(node) {
    const found = node.measured;
    const lines = [["columns", node.columns.join(", ")], ["used by", used(node)]];
    if (node.rows !== null && node.rows !== undefined) lines.push(["rows", node.rows.toLocaleString("en")]);
    if (found) {
      lines.push(["rows in", found.rows_in.toLocaleString("en")], ["rows out", found.rows_out.toLocaleString("en")]);
      lines.push(["now", `${short(found.rate_in)}/s in, ${short(found.rate_out)}/s out`], ["selectivity", percent(found.selectivity)]);
      lines.push(["state", `${found.state_rows.toLocaleString("en")} rows, ${bytes(found.state_bytes)}`], ["time spent", seconds(found.seconds)]);
    }
    return [
      h("button", { class: "quiet close", "aria-label": "Close", onclick: () => this.choose(node.id) }, "×"),
      h("h2", {}, node.operator),
      node.detail ? h("p", { class: "code" }, node.detail) : null,
      node.lines.map((line) => h("p", { class: "code faint" }, line)),
      h("div", { class: "parts" },
        h("dl", {}, lines.filter(([, text]) => text).map(([name, text]) => [h("dt", {}, name), h("dd", {}, text)])),
        found && found.history.length > 1 ? courses(found.history) : null,
        node.tickets.length ? tickets(node.tickets) : null),
    ].flat().filter(Boolean);
  }

  async showSettings() {
    const all = await get("settings");
    this.settings.replaceChildren(...all.filter((each) => each.live).map((each) => this.setting(each)));
  }

  /** The settings of the operator that is open. */
  async showOwn() {
    const all = await get("settings");
    const wanted = settingsOf(this.opened());
    this.own.replaceChildren(...all.filter((each) => each.live && wanted.includes(each.key)).map((each) => this.setting(each)));
  }

  /** Other values, in their places. */
  renew(all) {
    for (const { key, value } of all) {
      for (const place of this.settings.parentElement.querySelectorAll(`.settings [aria-label="${key}"]`)) place.value = value;
    }
  }

  setting({ key, value, meaning, choices }) {
    const said = h("small", { class: "problem" });
    const change = async (event) => {
      said.textContent = "";
      try {
        this.renew(await put(`settings/${encodeURIComponent(key)}`, { value: event.target.value }));
      } catch (problem) {
        said.textContent = problem.message;
      }
    };
    const input = choices.length
      ? h("select", { "aria-label": key, onchange: change }, choices.map((each) => h("option", { selected: each === value }, each)))
      : h("input", { "aria-label": key, value, placeholder: "no limit", size: "11", onchange: change });
    return h("label", { title: meaning }, h("span", {}, key), input, said);
  }
}

/** Which settings say how an operator works. */
function settingsOf(node) {
  if (!node || node.operator === "output" || node.operator === "input") return [];
  if (!node.inputs.length) return ["trigger", "batch.time", "batch.rows", "shedding"];
  return node.family ? ["routing"] : ["strategy"];
}

function used(node) {
  const more = node.uses - node.queries.length;
  return node.queries.join(", ") + (more > 0 ? ` and ${more} more` : "");
}

function courses(history) {
  const course = (name, pick) => h("div", { class: "course" }, h("span", {}, name), spark(history.map(pick)));
  return h("div", {}, h("h3", {}, `the last ${history.length} batches`),
    course("rows in", (each) => each.in), course("rows out", (each) => each.out),
    course("seconds", (each) => each.seconds), course("rows in state", (each) => each.state_rows));
}

function tickets(found) {
  const most = Math.max(...found.map((each) => each.tickets)) || 1;
  return h("div", {}, h("h3", {}, "tickets of the eddy"),
    found.map((each) => h("div", { class: "ticket" }, h("span", {}, each.filter),
      h("meter", { min: 0, max: most, value: each.tickets }), h("span", { class: "faint" }, percent(each.selectivity)))));
}
