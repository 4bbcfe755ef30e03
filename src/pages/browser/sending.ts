import { element, findById } from "./dom.ts";

/** What the server says to a form: how what it changed looks now, or why it changed nothing. */
export type Answer = { html: string } | { error: string };

/** Sends a form without leaving the page. `change`: what is sent in place of what the form says. */
export async function send(
  form: HTMLFormElement,
  submitter: HTMLElement | null,
  change: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  try {
    const body = new URLSearchParams(new FormData(form) as unknown as Record<string, string>);
    if (submitter instanceof HTMLButtonElement && submitter.name !== "")
      body.set(submitter.name, submitter.value);
    for (const [name, value] of Object.entries(change)) body.set(name, value);
    const headers = { accept: "application/json" };
    const answer = await fetch(form.action, { method: "POST", headers, body });
    const json = await answer.json();
    return answer.ok ? json : { error: wordsOf(json) };
  } catch {
    return { error: "That was not sent. Check your connection and try again." };
  }
}

const NAMES: Readonly<Record<string, string>> = { positionSec: "time", endSec: "end" };

function wordsOf({
  message,
  data,
}: {
  message: string;
  data?: { errors?: { path: string; detail: string }[] };
}) {
  const [issue] = data?.errors ?? [];
  return issue ? `That did not work: the ${NAMES[issue.path] ?? issue.path} ${issue.detail}.` : `${message}.`;
}

/** Shows elements from the server in place of those with their ids. A comment that is new is the first of `list`. */
export function show(html: string, list?: HTMLElement): void {
  const made = element("div", "");
  made.innerHTML = html;
  for (const next of [...made.children]) {
    const old = findById(next.id);
    // Screen readers announce a change of what is there already.
    if (old?.getAttribute("role") === "status") old.textContent = next.textContent;
    else if (old) replace(old, next);
    else list?.prepend(next);
  }
}

/** The focus stays on what was pressed, or on what is left of it. */
function replace(old: HTMLElement, next: Element): void {
  const pressed = old.contains(document.activeElement) ? document.activeElement?.textContent : undefined;
  old.replaceWith(next);
  if (pressed === undefined) return;
  const places = [...next.querySelectorAll<HTMLElement>("button, summary, a")];
  (places.find(({ textContent }) => textContent === pressed) ?? places[0])?.focus();
}
