// Main: the views, and a look at the server every second.

import { get, hasToken, post, remove, takeToken, useToken } from "./api.js";
import { h, seconds, short } from "./dom.js";
import { Lists } from "./lists.js";
import { PlanView } from "./planview.js";
import { Results } from "./results.js";
import { Write } from "./write.js";

const EVERY = 1000; // milliseconds
const $ = (id) => document.getElementById(id);
let current = null;
let catalog = { streams: [], relations: [], views: [], queries: [], more: 0 };

const write = new Write($("write"), (name) => (name ? choose(name) : refresh()));
const results = new Results($("results"), () => refresh().then(() => go("write")), (text) => {
  write.editor.text = text;
  go("write");
});
const plan = new PlanView($("plan"));
const lists = new Lists($("lists"), (query) => choose(query.name), (name) => {
  const { area } = write.editor;
  area.setRangeText(name, area.selectionStart, area.selectionEnd, "end");
  write.editor.typed();
  go("write");
});

function choose(name) {
  current = name;
  results.watch(name);
  go("results");
  refresh();
}

function go(view) {
  location.hash = view;
}

function view() {
  const asked = location.hash.slice(1);
  return ["write", "results", "plan"].includes(asked) ? asked : "write";
}

function shown() {
  for (const each of ["write", "results", "plan"]) $(each).hidden = each !== view();
  for (const link of document.querySelectorAll(".tabs a")) link.classList.toggle("on", link.dataset.view === view());
  if (view() === "plan") plan.showSettings().catch(() => {});
  if (view() === "write") write.editor.area.focus();
  refresh();
}

async function refresh() {
  try {
    const [status, found] = await Promise.all([get("status"), get("catalog?most=200")]);
    const kept = status.left_out ? await get("kept") : [];
    catalog = found;
    if (current && !catalog.more && !catalog.queries.some((each) => each.name === current)) {
      current = null;
      results.watch(null);
    }
    lists.refresh(catalog, current);
    figures(status, kept.filter((each) => each.problem));
    if (view() === "plan") await plan.refresh(catalog);
  } catch (problem) {
    if (problem.status === 401) askForToken();
    else banner(`The server does not answer: ${problem.message}`);
  }
}

function figures(status, leftOut) {
  const last = status.batches[status.batches.length - 1];
  const rate = catalog.streams.reduce((sum, each) => sum + (each.rate || 0), 0);
  const figure = (name, value) => h("span", { class: "fact" }, h("small", {}, name), value);
  $("figures").replaceChildren(
    figure("watermark", status.watermark || "–"),
    figure("rows", `${short(status.rows)} · ${short(rate)}/s`),
    figure("last batch", last ? seconds(last.seconds) : "–"));
  if (status.problem) {
    banner(`The run has failed: ${status.problem}`, h("button", { class: "quiet", onclick: () => post("start").then(refresh) }, "Start again"));
  } else if (leftOut.length) {
    const forget = (name) => remove(`kept/${encodeURIComponent(name)}`).then(refresh);
    banner(`Left out at this start: ${leftOut.map((each) => `${each.text} (${each.problem})`).join("; ")} `,
      ...leftOut.map(({ name }) => h("button", { class: "quiet", onclick: () => forget(name) }, `Forget ${name}`)));
  } else banner("");
}

/** Say that a token is missing or wrong, and take one. */
function askForToken() {
  const said = hasToken() ? "The token is wrong. A server makes up new ones at each start." : "This server needs a token.";
  const field = h("input", { id: "token", type: "password", autocomplete: "off", "aria-label": "Token", placeholder: "the printed address, or a token" });
  const use = (event) => {
    event.preventDefault();
    useToken(field.value);
    field.value = "";
    refresh();
  };
  banner(`${said} Open the address that it printed, or put it here: `, h("form", { onsubmit: use }, field, h("button", { class: "quiet" }, "Use it")));
}

/** Say something above all views. What is said already stays as it is: a button or a field in it may be in use. */
function banner(text, ...more) {
  if ($("banner").firstChild?.textContent === text) return;
  $("banner").hidden = !text;
  $("banner").replaceChildren(text, ...more);
}

$("theme").addEventListener("click", () => {
  const dark = matchMedia("(prefers-color-scheme: dark)").matches;
  const now = document.documentElement.dataset.theme || (dark ? "dark" : "light");
  document.documentElement.dataset.theme = now === "dark" ? "light" : "dark";
  localStorage.setItem("theme", document.documentElement.dataset.theme);
});
if (localStorage.getItem("theme")) document.documentElement.dataset.theme = localStorage.getItem("theme");
addEventListener("hashchange", () => {
  takeToken();
  shown();
});
write.learn().catch(() => {});
shown();
setInterval(() => {
  if (!document.hidden) refresh();
}, EVERY);
