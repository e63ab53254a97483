// Api: the REST interface, and events that go on where they were cut off.

/** Take the token from the page's address, where the server's printed address has it, and hide it there. */
export function takeToken() {
  if (!location.hash.includes("token=")) return;
  useToken(location.hash);
  history.replaceState(null, "", location.pathname + "#write");
}

/** Use a token from now on: a token, or the printed address that ends with it. */
export function useToken(text) {
  const found = new URLSearchParams(text.slice(text.indexOf("#") + 1)).get("token");
  sessionStorage.setItem("token", found ?? text.trim());
}

export const hasToken = () => Boolean(sessionStorage.getItem("token"));

takeToken();

function headers(more = {}) {
  const token = sessionStorage.getItem("token");
  return { "X-Tailrace": "1", ...(token ? { Authorization: `Bearer ${token}` } : {}), ...more };
}

/** What a request was refused with. */
export class Refused extends Error {
  constructor(status, body) {
    super(body.message || `the server answered ${status}`);
    this.status = status;
    this.hint = body.hint;
    this.problems = body.problems || [];
  }
}

async function ask(method, path, body, signal) {
  const json = body === undefined ? {} : { "Content-Type": "application/json" };
  const sent = body === undefined ? undefined : JSON.stringify(body);
  const answer = await fetch(`api/${path}`, { method, headers: headers(json), body: sent, signal });
  if (answer.ok) return answer.status === 204 ? null : answer.json();
  throw new Refused(answer.status, await answer.json().catch(() => ({})));
}

export const get = (path, signal) => ask("GET", path, undefined, signal);
export const post = (path, body, signal) => ask("POST", path, body, signal);
export const put = (path, body) => ask("PUT", path, body);
export const remove = (path) => ask("DELETE", path);
export const named = (name) => `queries/${encodeURIComponent(name)}`;

/** Follow a query's results until closed; `take` gets the name, data and id of each event, `state` open or waiting. */
export function follow(name, take, state) {
  const closing = new AbortController();
  let last = null;
  (async () => {
    while (!closing.signal.aborted) {
      try {
        const more = last ? { "Last-Event-ID": last } : {};
        const options = { headers: headers(more), signal: closing.signal };
        const answer = await fetch(`api/${named(name)}/events`, options);
        if (answer.status === 404) return take("end", {}, null);
        if (!answer.ok) throw new Refused(answer.status, {});
        state("open");
        for await (const event of eventsOf(answer.body)) {
          last = event.id || last;
          take(event.name, event.data, event.id);
          if (event.name === "end") return;
        }
      } catch (problem) {
        if (closing.signal.aborted) return;
      }
      state("waiting");
      await new Promise((resolve) => setTimeout(resolve, 1000));
    }
  })();
  return { close: () => closing.abort() };
}

async function* eventsOf(body) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    text += value;
    for (let end = text.indexOf("\n\n"); end >= 0; end = text.indexOf("\n\n")) {
      const event = eventOf(text.slice(0, end));
      text = text.slice(end + 2);
      if (event) yield event;
    }
  }
}

function eventOf(text) {
  const found = { name: "message", id: null, data: null };
  for (const line of text.split("\n")) {
    const at = line.indexOf(": ");
    const [field, value] = [line.slice(0, at), line.slice(at + 2)];
    if (field === "event") found.name = value;
    else if (field === "id") found.id = value;
    else if (field === "data") found.data = JSON.parse(value);
  }
  return found.data === null ? null : found;
}
