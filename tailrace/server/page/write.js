// Write: a query in the making: what it means while it is typed, its plan, and its registration.

import { get, post, Refused } from "./api.js";
import { h } from "./dom.js";
import { Editor } from "./editor.js";
import { pieces, wordsOf } from "./highlight.js";
import { drawing } from "./drawing.js";

const PAUSE = 250; // milliseconds without a key before a text is looked at

export class Write {
  constructor(place, registered) {
    this.registered = registered;
    this.waiting = null;
    this.asking = null;
    this.checked = null;
    this.editor = new Editor(() => this.later());
    this.name = h("input", { id: "name", placeholder: "name, if you like", "aria-label": "Name of the query", maxlength: "100", spellcheck: "false" });
    this.button = h("button", { id: "register", class: "main", disabled: true, onclick: () => this.register() }, "Register");
    this.editor.element.addEventListener("submit", () => this.register());
    this.meaning = h("div", { id: "meaning", class: "card", "aria-live": "polite" });
    this.plan = h("div", { id: "preview", class: "card picture", hidden: true });
    place.append(
      h("div", { class: "card" },
        this.editor.element,
        h("div", { class: "row" }, this.name, this.button, h("span", { class: "faint" }, "Ctrl+Enter registers, Ctrl+Space completes"))),
      this.meaning,
      this.plan,
    );
    this.empty();
  }

  async learn() {
    this.words = wordsOf(await get("completions"));
    this.editor.know(this.words);
  }

  empty() {
    this.meaning.replaceChildren(
      h("p", { class: "faint" }, "Write a query, or a script of statements. What it means is shown here while you type."));
    this.plan.hidden = true;
    this.button.disabled = true;
  }

  later() {
    clearTimeout(this.waiting);
    this.button.disabled = true;
    this.waiting = setTimeout(() => this.look(), PAUSE);
  }

  async look() {
    const text = this.editor.text;
    if (!text.trim()) return this.empty();
    this.asking?.abort();
    this.asking = new AbortController();
    const { signal } = this.asking;
    try {
      const checked = await post("check", { text }, signal);
      if (text !== this.editor.text) return;
      this.show(checked);
      if (!checked.ok || !checked.meanings.length) {
        this.plan.hidden = true;
        return;
      }
      const { plan } = await post("explain", { text, form: "json" }, signal);
      if (text === this.editor.text) this.showPlan(plan.plan);
    } catch (problem) {
      if (problem.name !== "AbortError") this.say(problem);
    }
  }

  show(checked) {
    this.checked = checked;
    this.editor.mark(checked.problems);
    this.button.disabled = !checked.ok;
    this.button.textContent = checked.is_query ? "Register" : "Run the script";
    this.name.hidden = !checked.is_query;
    if (checked.ok) {
      const parts = checked.meanings.map((each) => this.told(each));
      const said = checked.said.map((text) => h("pre", {}, text));
      const nothing = h("p", { class: "faint" }, "These statements are right.");
      this.meaning.replaceChildren(...(parts.length || said.length ? [...parts, ...said] : [nothing]));
    } else {
      this.meaning.replaceChildren(...checked.problems.map(problemShown));
    }
  }

  told(meaning) {
    const columns = meaning.columns.map(({ name, type }) => h("span", { class: "column" }, name, h("small", {}, type)));
    const same = meaning.expanded.replace(/\s+/g, " ") === this.editor.text.trim().replace(/;$/, "").replace(/\s+/g, " ");
    const use = h("button", { class: "quiet use", onclick: () => (this.editor.text = meaning.expanded) }, "Edit this text");
    return h("div", { class: "meaning" },
      h("p", {}, h("span", { class: `chip ${meaning.kind}` }, meaning.kind), ...columns),
      meaning.defaults.map((text) => h("p", { class: "default" }, "default: ", text)),
      meaning.notes.map((text) => h("p", { class: "default" }, "note: ", text)),
      same && this.checked.is_query
        ? null
        : h("div", { class: "expanded" }, h("pre", {}, coloured(meaning.expanded, this.words)), this.checked.is_query ? use : null));
  }

  showPlan(plan) {
    const outputs = Object.entries(plan.outputs).map(([name, input]) => ({
      id: `output ${name}`, operator: "output", detail: name, inputs: [input], queries: [name], uses: 1 }));
    const nodes = plan.operators.map((node) => ({ ...node, uses: node.queries.length }));
    this.plan.hidden = false;
    this.plan.replaceChildren(h("h2", {}, "Its plan"), drawing([...nodes, ...outputs]).element);
  }

  async register() {
    if (this.button.disabled) return;
    this.button.disabled = true;
    const text = this.editor.text;
    try {
      if (this.checked.is_query) {
        const query = await post("queries", { text, name: this.name.value.trim() || null });
        this.name.value = "";
        this.editor.text = "";
        this.registered(query.name);
      } else {
        const { said } = await post("execute", { text });
        this.editor.text = "";
        clearTimeout(this.waiting);
        this.meaning.replaceChildren(h("p", {}, "Done."), said ? h("pre", {}, said) : "");
        this.registered(null);
      }
      await this.learn();
    } catch (problem) {
      this.say(problem);
      this.button.disabled = false;
    }
  }

  say(problem) {
    const problems = problem instanceof Refused && problem.problems.length ? problem.problems : [problem];
    this.meaning.replaceChildren(...problems.map(problemShown));
  }
}

function problemShown({ line, column, message, hint }) {
  return h("div", { class: "problem" },
    h("p", {}, line ? h("span", { class: "place" }, `line ${line}, column ${column}`) : null, message),
    hint ? h("p", { class: "hint" }, hint) : null);
}

/** A text in colours. */
export function coloured(text, words) {
  return pieces(text, words).map(([kind, part]) => (kind ? h("span", { class: `cql ${kind}` }, part) : part));
}
