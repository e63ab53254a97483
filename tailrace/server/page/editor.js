// Editor: a text area over the same text in colours, with completion of names.

import { suggestions } from "./complete.js";
import { h } from "./dom.js";
import { marked, NO_WORDS, pieces } from "./highlight.js";

export class Editor {
  constructor(changed) {
    this.words = NO_WORDS;
    this.wrong = [];
    this.offered = { from: 0, items: [] };
    this.chosen = 0;
    this.changed = changed;
    this.area = h("textarea", {
      id: "editor", spellcheck: "false", autocapitalize: "off", autocomplete: "off", rows: "9", "aria-label": "Query",
      placeholder: "SELECT … FROM a stream [RANGE 5 MINUTES] …",
    });
    this.colours = h("pre", { class: "colours", "aria-hidden": "true" });
    this.list = h("ul", { class: "offers", role: "listbox", hidden: true });
    this.element = h("div", { class: "editor" }, this.colours, this.area, this.list);
    this.area.addEventListener("input", () => this.typed());
    this.area.addEventListener("scroll", () => this.align());
    this.area.addEventListener("keydown", (event) => this.key(event));
    this.area.addEventListener("blur", () => this.close());
    this.area.addEventListener("click", () => this.close());
  }

  get text() {
    return this.area.value;
  }

  set text(value) {
    this.area.value = value;
    this.wrong = [];
    this.close();
    this.draw();
    this.changed();
  }

  know(words) {
    this.words = words;
    this.draw();
  }

  mark(problems) {
    this.wrong = problems.filter((each) => each.start !== null).map((each) => [each.start, Math.max(each.end, each.start + 1)]);
    this.draw();
  }

  typed() {
    this.wrong = [];
    this.draw();
    this.offer();
    this.changed();
  }

  draw() {
    const spans = marked(pieces(this.text, this.words), this.wrong).map(([kind, text]) => (kind ? h("span", { class: `cql ${kind}` }, text) : text));
    this.colours.replaceChildren(...spans, "\n");
    const lines = Math.min(24, Math.max(7, this.text.split("\n").length + 1));
    this.area.rows = lines;
    this.align();
  }

  align() {
    this.colours.scrollTop = this.area.scrollTop;
    this.colours.scrollLeft = this.area.scrollLeft;
  }

  // Completion

  offer() {
    this.offered = suggestions(this.text, this.area.selectionStart, this.words);
    this.chosen = 0;
    this.moved = false;
    this.showOffers();
  }

  showOffers() {
    const { items } = this.offered;
    this.list.hidden = items.length === 0;
    if (!items.length) return;
    this.list.replaceChildren(
      ...items.map(({ text, kind }, at) =>
        h("li", { role: "option", class: at === this.chosen ? "chosen" : "", onmousedown: (event) => this.take(event, at) },
          text, h("small", {}, kind))),
    );
    const place = this.placeOf(this.offered.from);
    this.list.style.left = `${place.left}px`;
    this.list.style.top = `${place.top}px`;
  }

  /** Where a character stands, below its line: the coloured text has the same shape. */
  placeOf(offset) {
    const walker = document.createTreeWalker(this.colours, NodeFilter.SHOW_TEXT);
    let left = offset;
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      if (left <= node.length) {
        const range = document.createRange();
        range.setStart(node, left);
        range.setEnd(node, left);
        const place = range.getBoundingClientRect();
        const whole = this.element.getBoundingClientRect();
        return { left: place.left - whole.left, top: place.bottom - whole.top + 4 };
      }
      left -= node.length;
    }
    return { left: 0, top: 0 };
  }

  key(event) {
    if ((event.ctrlKey || event.metaKey) && event.key === "Enter") {
      event.preventDefault();
      this.element.dispatchEvent(new CustomEvent("submit"));
      return;
    }
    if (event.ctrlKey && event.key === " ") {
      event.preventDefault();
      this.offer();
      return;
    }
    if (this.list.hidden) return;
    const count = this.offered.items.length;
    const move = { ArrowDown: 1, ArrowUp: count - 1 }[event.key];
    if (move) {
      event.preventDefault();
      this.chosen = (this.chosen + move) % count;
      this.moved = true;
      this.showOffers();
    } else if (event.key === "Tab" || (event.key === "Enter" && this.moved)) {
      this.take(event, this.chosen);
    } else if (event.key === "Escape" || event.key === "Enter") {
      this.close();
    }
  }

  take(event, at) {
    event.preventDefault();
    const { from, items } = this.offered;
    const caret = this.area.selectionStart;
    this.area.setRangeText(items[at].text, from, caret, "end");
    this.close();
    this.wrong = [];
    this.draw();
    this.changed();
  }

  close() {
    this.offered = { from: 0, items: [] };
    this.list.hidden = true;
  }
}
