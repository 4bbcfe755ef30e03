import { clock } from "../waveform.ts";
import { byId, element, findById, memory } from "./dom.ts";
import type { Growing } from "./growing.ts";
import type { Playback } from "./playback.ts";
import type { Track } from "./queue.ts";

/** A comment, as the server returns it. */
type Comment = {
  trackId: string;
  name: string;
  text: string;
  positionSec: number | null;
  date: string;
  versionLabel: string | null;
  hasOthers: boolean;
};

/** Lets visitors comment without leaving the page, and jump to the moment that a comment is about. */
export function enableComments(playback: Playback, list: Growing, onAdded: () => void): void {
  const form = findById<HTMLFormElement>("comment-form");
  if (!form) return;
  const field = (name: string) => form.elements.namedItem(name) as HTMLInputElement;
  field("name").value ||= memory.get("name") ?? "";
  const opener = byId("comment-open");
  const fold = () => {
    form.classList.add("folded");
    opener.setAttribute("aria-expanded", "false");
    opener.focus();
  };
  const unfold = () => {
    if (!form.classList.contains("folded")) return;
    form.classList.remove("folded");
    opener.setAttribute("aria-expanded", "true");
    // What a visitor begins to write is about the music playing now.
    field("at").value = clock(playback.elapsedSec());
    field("track").value = playback.current().id;
  };
  form.addEventListener("focusin", unfold);
  opener.addEventListener("click", () => {
    unfold();
    field(field("name").value === "" ? "name" : "text").focus();
  });
  byId("comment-cancel").addEventListener("click", fold);

  byId("comment-list").addEventListener("click", ({ target }) => {
    const mark = target instanceof Element ? target.closest<HTMLElement>("[data-at]") : null;
    if (mark) void playFrom(playback, list, mark.dataset);
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    void send(form, playback).then((answer) => {
      byId("comment-error").textContent = "error" in answer ? answer.error : "";
      if ("error" in answer) return;
      memory.set("name", field("name").value);
      field("text").value = "";
      field("at").value = "";
      byId("comment-list").prepend(toItem(answer, playback));
      fold();
      onAdded();
    });
  });
}

/** Shows which place a new comment would be about. */
export function showPlace({ title }: Track, elapsedSec: number): void {
  const opener = findById("comment-open");
  if (!opener) return;
  const words = `Comment at ${clock(elapsedSec)}`;
  if (opener.textContent !== words) opener.textContent = words;
  const of = findById("comment-of");
  if (of && of.textContent !== title) of.textContent = title;
}

/** Plays from a comment's position. If the track is further down the list, it is fetched first. */
async function playFrom(
  { queue, play }: Playback,
  { grow }: Growing,
  { of, at }: DOMStringMap,
): Promise<void> {
  const find = () => queue.findIndex(({ id }) => id === of);
  while (find() < 0 && (await grow())) {
    // Until the list ends.
  }
  if (find() >= 0) play(find(), Number(at));
}

/** Adds tracks that were loaded later to the comment form. */
export function offerTracks(tracks: readonly Track[]): void {
  const select = findById("field-track");
  if (!(select instanceof HTMLSelectElement)) return;
  const known = new Set([...select.options].map(({ value }) => value));
  for (const { id, title } of tracks) {
    if (!known.has(id)) select.append(new Option(title, id));
    known.add(id);
  }
}

async function send(form: HTMLFormElement, { queue }: Playback): Promise<Comment | { error: string }> {
  try {
    const body = new URLSearchParams(new FormData(form) as unknown as Record<string, string>);
    const heard = queue.find(({ id }) => id === body.get("track"));
    if (heard) body.set("version", heard.version);
    const answer = await fetch(form.action, {
      method: "POST",
      headers: { accept: "application/json" },
      body,
    });
    const json = await answer.json();
    return answer.ok ? json : { error: wordsOf(json) };
  } catch {
    return { error: "The comment was not sent. Check your connection and try again." };
  }
}

function wordsOf({
  message,
  data,
}: {
  message: string;
  data?: { errors?: { path: string; detail: string }[] };
}) {
  const [issue] = data?.errors ?? [];
  return issue
    ? `That did not work: the ${issue.path === "positionSec" ? "time" : issue.path} ${issue.detail}.`
    : `${message}.`;
}

function toItem(comment: Comment, { queue }: Playback): HTMLElement {
  const { trackId, name, text, positionSec, date, versionLabel, hasOthers } = comment;
  const head = element("p", "comment-head");
  head.append(element("strong", "comment-name", name));
  if (positionSec !== null) {
    const mark = element("button", "comment-at");
    mark.append(element("span", "sr-only", "Play from "), clock(positionSec));
    mark.setAttribute("type", "button");
    Object.assign(mark.dataset, { at: String(positionSec), of: trackId });
    head.append(mark);
  }
  const title = queue.find(({ id }) => id === trackId)?.title ?? "";
  if (byId("comment-list").dataset.many !== undefined) head.append(element("span", "soft", title));
  if (hasOthers && versionLabel) head.append(element("span", "comment-version", versionLabel));
  head.append(element("span", "comment-date", date));
  const item = element("li", "comment");
  item.append(head, element("p", "comment-text", text));
  return item;
}
