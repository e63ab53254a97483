// Complete: what a word at the caret may become.

const MOST = 8;

/** Suggestions for the word that ends at the caret: {from, items: [{text, kind}]}. */
export function suggestions(text, caret, words) {
  const before = text.slice(0, caret);
  if (/--[^\n]*$/.test(before) || (before.match(/'/g) || []).length % 2) return { from: caret, items: [] };
  const [, owner, prefix] = before.match(/(?:([\p{L}_][\p{L}\p{N}_]*)\.)?([\p{L}_][\p{L}\p{N}_]*)?$/u);
  const from = caret - (prefix || "").length;
  if (/\bas\s+$/i.test(before.slice(0, from))) return { from, items: [] };
  if (owner) return { from, items: matching([...parts(owner, words), ...columnsOf(owner, text, words)], prefix || "") };
  if (!prefix) {
    const wants = /\b(from|join)\s+$/i.test(before);
    return { from, items: wants ? matching(namesOf(words), "") : [] };
  }
  const after = /\b(from|join)\s+[\p{L}\p{N}_]*$/iu.test(before);
  const all = after ? namesOf(words) : [...mentioned(text, words), ...namesOf(words), ...others(words)];
  return { from, items: matching(all, prefix) };
}

function matching(all, prefix) {
  const wanted = prefix.toLowerCase();
  const seen = new Set();
  const fits = all.filter(({ text }) => {
    const lower = text.toLowerCase();
    const fresh = lower.startsWith(wanted) && lower !== wanted && !seen.has(lower);
    if (fresh) seen.add(lower);
    return fresh;
  });
  return fits.slice(0, MOST);
}

const namesOf = (words) => [...words.names.values()].map(({ name }) => ({ text: name, kind: "name" }));
const others = (words) => [
  ...[...words.keywords].map((text) => ({ text, kind: "keyword" })),
  ...[...words.functions].map((text) => ({ text, kind: "function" })),
];

/** The columns of what a text mentions. */
function mentioned(text, words) {
  const there = text.toLowerCase().match(/[\p{L}_][\p{L}\p{N}_]*(?:\.[\p{L}_][\p{L}\p{N}_]*)?/gu) || [];
  const names = [...new Set(there)].filter((word) => words.names.has(word));
  return names.flatMap((name) => words.names.get(name).columns.map((column) => ({ text: column, kind: "column" })));
}

/** What stands behind the dot in names of two parts, as those of the system's streams. */
function parts(owner, words) {
  const first = `${owner.toLowerCase()}.`;
  return namesOf(words).filter(({ text }) => text.toLowerCase().startsWith(first)).map(({ text, kind }) => ({ text: text.slice(first.length), kind }));
}

/** The columns of a name, or of what an alias stands for. */
function columnsOf(owner, text, words) {
  let known = words.names.get(owner.toLowerCase());
  if (!known) {
    const alias = new RegExp(`([\\p{L}_][\\p{L}\\p{N}_.]*)\\s*(?:\\[[^\\]]*\\])?\\s+(?:as\\s+)?${owner}\\b`, "iu").exec(text);
    known = alias ? words.names.get(alias[1].toLowerCase()) : undefined;
  }
  return (known ? known.columns : []).map((column) => ({ text: column, kind: "column" }));
}
