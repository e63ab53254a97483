// Highlight: a text of CQL as coloured pieces.

const TOKEN = /(--[^\n]*|\/\*[^]*?(?:\*\/|$))|('(?:[^']|'')*'?|"[^"]*"?)|(\b\d+(?:[.,]\d+)*\b)|(`[^`]*`?|[\p{L}_][\p{L}\p{N}_]*)/gu;

/** Pieces of a text: [class, text], given the words that are known. */
export function pieces(text, words) {
  const found = [];
  let at = 0;
  for (const match of text.matchAll(TOKEN)) {
    if (match.index > at) found.push(["", text.slice(at, match.index)]);
    const [whole, comment, string, number] = match;
    const kind = comment ? "comment" : string ? "string" : number ? "number" : wordKind(whole, words);
    found.push([kind, whole]);
    at = match.index + whole.length;
  }
  if (at < text.length) found.push(["", text.slice(at)]);
  return found;
}

function wordKind(word, words) {
  const upper = word.toUpperCase();
  if (words.keywords.has(upper)) return "keyword";
  if (words.names.has(word.toLowerCase())) return "name";
  if (words.functions.has(upper)) return "function";
  return words.columns.has(word.toLowerCase()) ? "field" : "";
}

/** The same with stretches [start, end] marked as wrong. */
export function marked(found, wrong) {
  const parts = [];
  let at = 0;
  for (const [kind, text] of found) {
    let rest = text;
    while (rest) {
      const inside = wrong.find(([start, end]) => start <= at && at < end);
      const next = inside ? inside[1] : Math.min(Infinity, ...wrong.map(([start]) => start).filter((start) => start > at));
      const length = Math.min(rest.length, next - at);
      parts.push([inside ? `${kind} wrong`.trim() : kind, rest.slice(0, length)]);
      rest = rest.slice(length);
      at += length;
    }
  }
  return parts;
}

/** What the page knows of words, from what the server tells. */
export function wordsOf(told) {
  const columns = new Set(Object.values(told.names).flat().map((name) => name.toLowerCase()));
  const names = new Map(Object.entries(told.names).map(([name, all]) => [name.toLowerCase(), { name, columns: all }]));
  return { keywords: new Set(told.keywords), functions: new Set(told.functions), names, columns };
}

export const NO_WORDS = wordsOf({ keywords: [], functions: [], names: {} });
