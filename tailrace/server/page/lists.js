// Lists: streams, relations, views and queries, with what is known of each.

import { h, seconds, short } from "./dom.js";

export class Lists {
  constructor(place, chosen, insert) {
    this.place = place;
    this.chosen = chosen;
    this.insert = insert;
    this.open = new Set();
    this.drawn = "";
    // What is pressed stays until it is let go, or the click would be lost.
    place.addEventListener("pointerdown", () => (this.pressed = true));
    addEventListener("pointerup", () => setTimeout(() => (this.pressed = false)));
  }

  show(catalog, current) {
    const drawn = JSON.stringify([catalog, current, [...this.open]]);
    if (drawn === this.drawn || this.pressed) return;
    this.drawn = drawn;
    const focused = this.place.contains(document.activeElement) ? document.activeElement.dataset.key : null;
    this.place.replaceChildren(
      group("Queries", catalog.queries.map((each) => this.query(each, current)), "none yet", catalog.more),
      group("Streams", catalog.streams.map((each) => this.source(each)), "none"),
      group("Relations", catalog.relations.map((each) => this.source(each)), "none"),
      group("Views", catalog.views.map((each) => this.view(each)), "none"),
      this.folded("System", catalog.system.map((each) => this.entry(each, "stream", aboutSource(each), [], null))),
      this.folded("Monitors", catalog.monitors.map((each) => this.view(each))));
    if (focused) this.place.querySelector(`[data-key="${CSS.escape(focused)}"]`)?.focus({ preventScroll: true });
  }

  query(query, current) {
    const rate = query.into || [short(query.rows), query.rate === null ? null : `${short(query.rate)}/s`].filter(Boolean).join(" · ");
    return h("li", { class: query.name === current ? "item current" : "item" },
      h("button", { class: "line", "data-query": query.name, "data-key": query.name, onclick: () => this.chosen(query) },
        h("span", { class: `dot ${query.state}`, title: query.failure || query.state }), h("span", { class: "label" }, query.name),
        h("span", { class: "figure" }, rate)));
  }

  source(source) {
    const figures = [
      source.rows === null ? "not read" : `${short(source.rows)} rows`,
      source.rate ? `${short(source.rate)}/s` : null,
    ];
    const more = [
      source.newest ? `newest ${source.newest}` : null,
      source.idle_seconds > 5 ? `no rows for ${seconds(source.idle_seconds)}` : null,
      source.late ? `${source.late.toLocaleString("en")} late` : null,
      source.shed ? `${source.shed.toLocaleString("en")} shed` : null,
    ];
    const held = source.holds_back ? h("p", { class: "held" }, `holds the watermark back${source.behind ? `, ${source.behind} behind` : ""}`) : null;
    return this.entry(source, figures.filter(Boolean).join(" · "), aboutSource(source), more.filter(Boolean), held);
  }

  view(view) {
    return this.entry(view, view.kind, [h("pre", {}, view.expanded)], [], null);
  }

  /** A group that is closed until somebody opens it. */
  folded(title, items) {
    const [open, toggle] = this.opening(title);
    return h("section", {},
      h("h2", {}, h("button", { class: "fold", "data-key": title, "aria-expanded": String(open), onclick: toggle },
        h("span", { class: "twist" }, open ? "▾" : "▸"), title, h("small", {}, items.length))),
      open ? h("ul", {}, items) : null);
  }

  /** Whether something is open, and what opens or closes it. */
  opening(name) {
    const open = this.open.has(name);
    const toggle = () => {
      if (open) this.open.delete(name);
      else this.open.add(name);
      this.pressed = false;
      this.show(this.catalog, this.current);
    };
    return [open, toggle];
  }

  entry(entry, figure, about, more, held) {
    const key = `${entry.word} ${entry.name}`;
    const [open, toggle] = this.opening(key);
    const columns = entry.columns.map(({ name, type }) => h("button", { class: "column", title: "into the query", onclick: () => this.insert(name) }, name, h("small", {}, type)));
    return h("li", { class: "item" },
      h("button", { class: "line", "data-key": key, "aria-expanded": String(open), onclick: toggle },
        h("span", { class: "twist" }, open ? "▾" : "▸"), h("span", { class: "label" }, entry.name), h("span", { class: "figure" }, figure)),
      more.length ? h("p", { class: "more" }, more.join(" · ")) : null,
      held,
      open ? h("div", { class: "about" }, h("p", {}, columns), about) : null);
  }

  refresh(catalog, current) {
    this.catalog = catalog;
    this.current = current;
    this.show(catalog, current);
  }
}

function aboutSource(source) {
  return [h("p", { class: "faint" }, source.text.slice(source.text.indexOf(")") + 3) || "no format"),
    source.path ? h("p", { class: "faint" }, source.path) : null];
}

function group(title, items, none, more = 0) {
  const others = more ? h("li", { class: "faint none" }, `and ${more.toLocaleString("en")} more`) : null;
  return h("section", {}, h("h2", {}, title, h("small", {}, items.length + more || "")),
    h("ul", {}, items.length ? items : h("li", { class: "faint none" }, none), others));
}
